// The start time of the command, compared with an empty Node program on the same machine at the same time.

import { commandContender, timeCommand } from './measure/command.ts';
import { compare, type Section } from './measure/report.ts';
import { runRounds } from './measure/rounds.ts';
import { sandbox } from './measure/sandbox.ts';
import { nodeUnderTest } from './node-under-test.ts';
import { plugboardBin, versionIn } from './places.ts';

const DEFAULT_ROUNDS = 60;
const WARM_UPS = 3;
const SERVERS = ['files', 'memory', 'search', 'tickets', 'wiki'];

export async function benchmarkStart(repeats: number | undefined): Promise<readonly Section[]> {
  const rounds = repeats ?? DEFAULT_ROUNDS;
  const node = nodeUnderTest().path;
  const entry = { command: node, args: ['server.js'] };
  using box = sandbox(Object.fromEntries(SERVERS.map((name) => [name, entry])));
  const place = { node, cwd: box.folder, env: box.env };
  const commands = [
    { ...place, name: 'node -e 0', args: ['-e', '0'], says: '' },
    {
      ...place,
      name: 'plugboard --version',
      args: [plugboardBin, '--version'],
      says: versionIn('../packages/cli'),
    },
    {
      ...place,
      name: 'plugboard list',
      args: [plugboardBin, 'list'],
      says: new RegExp(SERVERS.join('[^]*')),
    },
  ];
  for (let warmUp = 0; warmUp < WARM_UPS; warmUp += 1) commands.forEach(timeCommand);
  console.error(`bench: starting each of ${commands.length} commands ${rounds} times ...`);
  const samples = await runRounds(commands.map(commandContender), rounds);
  const against = { baseline: 'node -e 0' };
  const rows = [
    compare(samples, {
      ...against,
      subject: 'plugboard --version',
      target: { kind: 'at-most', value: 1.6 },
    }),
    compare(samples, {
      ...against,
      subject: 'plugboard list',
      target: { kind: 'at-most', value: 3 },
    }),
  ];
  return [
    { kind: 'comparison', title: 'start, five servers configured', unit: 'ms', rounds, rows },
  ];
}
