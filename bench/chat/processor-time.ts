// The processor time of all threads of a process so far. Linux only.

import { readdirSync, readFileSync } from 'node:fs';

const NANOSECONDS = 1e6;

export function processorMs(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const tasks = `/proc/${pid}/task`;
  const sum = readdirSync(tasks).reduce((ns, task) => {
    const [ran = '0'] = readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ');
    return ns + Number(ran);
  }, 0);
  return sum / NANOSECONDS;
}
