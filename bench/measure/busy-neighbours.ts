// Processes of another session that keep the processors busy, like a build in another terminal.

import { spawn } from 'node:child_process';

/** They end themselves after this time at the latest. */
const MOST_MS = 10 * 60 * 1000;
const BUSY = `const end = Date.now() + ${MOST_MS}; while (Date.now() < end);`;

export function busyNeighbours(count: number): Disposable {
  // The first begins a session and starts the others in it.
  const script = `
    const { spawn } = require('node:child_process');
    for (let left = ${count - 1}; left > 0; left -= 1) {
      spawn(process.execPath, ['-e', ${JSON.stringify(BUSY)}], { stdio: 'ignore' });
    }
    ${BUSY}`;
  const { pid } = spawn(process.execPath, ['-e', script], { detached: true, stdio: 'ignore' });
  const end = (): void => {
    process.off('exit', end);
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // They have ended.
    }
  };
  process.on('exit', end);
  return { [Symbol.dispose]: end };
}
