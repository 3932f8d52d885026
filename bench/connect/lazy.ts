// Lists from the stored catalogue start no server: with 20 servers that were listed once, `plugboard list` and
// `plugboard tools` start none of them, and are compared with an empty Node program.

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, commandContender, timeCommand } from '../measure/command.ts';
import { compare, noneOf, type Section } from '../measure/report.ts';
import { runRounds } from '../measure/rounds.ts';
import { type Sandbox, sandbox } from '../measure/sandbox.ts';
import { nodeUnderTest } from '../node-under-test.ts';
import { fastEchoServer, plugboardBin } from '../places.ts';
import { trustServers } from '../measure/trust.ts';

const DEFAULT_ROUNDS = 60;
const WARM_UPS = 3;
const STARTS = 'starts.txt';
const NAMES = Array.from({ length: 20 }, (_, index) => `server-${String(index).padStart(2, '0')}`);

export async function benchmarkLazy(repeats: number | undefined): Promise<readonly Section[]> {
  const rounds = repeats ?? DEFAULT_ROUNDS;
  const entry = { command: nodeUnderTest().path, args: [fastEchoServer, STARTS] };
  using box = sandbox(Object.fromEntries(NAMES.map((name) => [name, entry])));
  fillCatalogue(box);
  const bare = command(box, 'node -e 0', { args: ['-e', '0'], says: '' });
  const commands = [
    plugboard(box, 'plugboard list', ['list']),
    plugboard(box, 'plugboard tools', ['tools']),
  ];
  const all = [bare, ...commands];
  for (let warmUp = 0; warmUp < WARM_UPS; warmUp += 1) all.forEach(timeCommand);
  console.error(`bench: running each of ${all.length} commands ${rounds} times ...`);
  const samples = await runRounds(all.map(commandContender), rounds);
  return [
    {
      kind: 'comparison',
      title: 'lazy: 20 local servers, their tools known from an earlier run',
      unit: 'ms',
      rounds,
      rows: commands.map(({ name }) =>
        compare(samples, {
          subject: name,
          baseline: bare.name,
          target: { kind: 'at-most', value: 3 },
        }),
      ),
    },
    {
      kind: 'figures',
      title: `lazy: in all of these ${(rounds + WARM_UPS) * commands.length} runs`,
      rows: [noneOf('servers started', startsIn(box))],
    },
  ];
}

/** Lists every server once, which also shows that starts are counted. */
function fillCatalogue(box: Sandbox): void {
  trustServers(NAMES, box);
  timeCommand(plugboard(box, 'plugboard tools --refresh', ['tools', '--refresh']));
  const starts = startsIn(box);
  if (starts !== NAMES.length) {
    throw new Error(`listing ${NAMES.length} servers started ${starts} of them`);
  }
  rmSync(join(box.folder, STARTS));
}

function startsIn(box: Sandbox): number {
  const file = join(box.folder, STARTS);
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0;
}

function plugboard(box: Sandbox, name: string, args: readonly string[]): Command {
  // Every server is in the answer, so its tools are, too.
  const says = new RegExp(NAMES.join('[^]*'));
  return command(box, name, { args: [plugboardBin, ...args], says });
}

function command(
  { folder, env }: Sandbox,
  name: string,
  { args, says }: Pick<Command, 'args' | 'says'>,
): Command {
  return { name, node: nodeUnderTest().path, args, cwd: folder, env, says };
}
