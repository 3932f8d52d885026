// Whether a process of some number runs now. It says nothing about which program it is: numbers are
// used again.

import { codeOf } from '@plugboard/base';

export function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    // Signal 0 only asks.
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // One that we may not signal is someone else's, and runs.
    return codeOf(thrown) === 'EPERM';
  }
}
