// One tool call from the command line to a shared server that runs already, compared with the same call that starts the
// server. It uses published servers, since their start is what people wait for.

import { execFileSync } from 'node:child_process';
import { type Command, commandContender, timeCommand } from './measure/command.ts';
import { compare, type Section } from './measure/report.ts';
import { runRounds } from './measure/rounds.ts';
import { type Sandbox, sandbox } from './measure/sandbox.ts';
import { trustServers } from './measure/trust.ts';
import { nodeUnderTest } from './node-under-test.ts';
import { inRepository, plugboardBin } from './places.ts';

const DEFAULT_ROUNDS = 30;
const WARM_UPS = 2;

interface Peer {
  readonly name: string;
  readonly program: string;
  readonly words: readonly string[];
  readonly says: string | RegExp;
}

const PEERS: readonly Peer[] = [
  {
    name: 'everything',
    program: '@modelcontextprotocol/server-everything/dist/index.js',
    words: ['echo', 'message=hi'],
    says: 'Echo: hi',
  },
  {
    name: 'memory',
    program: '@modelcontextprotocol/server-memory/dist/index.js',
    words: ['read_graph'],
    says: /"entities"/,
  },
];

export async function benchmarkCallShared(
  repeats: number | undefined,
): Promise<readonly Section[]> {
  const rounds = repeats ?? DEFAULT_ROUNDS;
  const { path: node, version } = nodeUnderTest();
  using box = sandbox(
    Object.fromEntries(
      PEERS.flatMap(({ name, program }) => {
        const entry = { command: node, args: [inRepository(`node_modules/${program}`)] };
        return [
          [name, entry],
          [`${name}-shared`, { ...entry, shared: true }],
        ];
      }),
    ),
  );
  trustServers(
    PEERS.flatMap(({ name }) => [name, `${name}-shared`]),
    box,
  );
  try {
    const sections: Section[] = [];
    for (const peer of PEERS) {
      const [cold, warm] = [peer.name, `${peer.name}-shared`].map((server) =>
        commandTo(server, peer, { node, box }),
      ) as [Command, Command];
      for (let warmUp = 0; warmUp < WARM_UPS; warmUp += 1) [cold, warm].forEach(timeCommand);
      console.error(`bench: calling ${peer.name} ${rounds} times, started anew and shared ...`);
      const samples = await runRounds([cold, warm].map(commandContender), rounds);
      sections.push({
        kind: 'comparison',
        title: `one call from the command line to server-${peer.name}, Node ${version}`,
        unit: 'ms',
        rounds,
        rows: [
          compare(samples, {
            subject: warm.name,
            baseline: cold.name,
            target: { kind: 'at-most', value: 0.4 },
          }),
        ],
      });
    }
    return sections;
  } finally {
    execFileSync(node, [plugboardBin, 'stop'], { cwd: box.folder, env: box.env, stdio: 'ignore' });
  }
}

function commandTo(
  server: string,
  { words, says }: Peer,
  { node, box }: { readonly node: string; readonly box: Sandbox },
): Command {
  return {
    name: `plugboard call ${server}`,
    node,
    args: [plugboardBin, 'call', server, ...words],
    cwd: box.folder,
    env: box.env,
    says,
  };
}
