// Measures calls from a script, and prints the fastest round in microseconds per call. It is a separate program, since
// the loader of the benchmarks makes messages between threads twice as slow.

import { Sandbox } from '@plugboard/code-mode';

const [calls = 0, rounds = 0] = process.argv.slice(2).map(Number);
const sandbox = new Sandbox({ limits: { calls, runMs: 60_000 } });
const wall = [];
const processor = [];
for (let round = 0; round < rounds; round += 1) {
  let started = 0;
  let ended = 0;
  let before = process.cpuUsage();
  await sandbox.run(`for (let at = 0; at < ${calls}; at += 1) await tools.a.echo({ at });`, {
    tools: [{ path: ['a', 'echo'], name: 'echo' }],
    call: async ({ arguments: given }) => {
      if (started === 0) {
        started = performance.now();
        before = process.cpuUsage();
      }
      ended = performance.now();
      return { ok: true, value: given };
    },
  });
  const { user, system } = process.cpuUsage(before);
  wall.push(((ended - started) * 1000) / (calls - 1));
  processor.push((user + system) / calls);
}
await sandbox.close();
console.log(JSON.stringify({ wall: Math.min(...wall), processor: Math.min(...processor) }));
