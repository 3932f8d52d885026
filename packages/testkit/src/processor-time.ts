// How much work something is for this process. Unlike time on a clock, it does not depend on what else the machine does.

/** Milliseconds of processor time that the process used meanwhile, in all of its threads. */
export async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
