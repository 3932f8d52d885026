// Measures work by processor time. Unlike elapsed time, it does not depend on the load of the machine.

/** The processor time that all threads of this process used during the work, in milliseconds. */
export async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
