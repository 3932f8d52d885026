// Two processes add servers to one file at the same time; no server may be lost. The time is reported as well, since a
// lock that blocks every writer would also lose nothing.

import { readFileSync } from 'node:fs';
import type { AddPlan } from './adding-process.ts';
import { figure, noneOf, type Section } from '../measure/report.ts';
import { configFile, sandbox } from '../measure/sandbox.ts';
import { SideProcess } from '../measure/side-process.ts';

const SERVERS_EACH = 200;
const PREFIXES = ['a', 'b'];

export async function benchmarkEdits(): Promise<readonly Section[]> {
  using box = sandbox({});
  const file = configFile(box.folder);
  await using first = await adding(box.env);
  await using second = await adding(box.env);
  console.error(`bench: adding ${SERVERS_EACH} servers in each of two processes ...`);
  const start = performance.now();
  const refusals = await Promise.all(
    [first, second].map((side, index) =>
      side.ask({ file, prefix: PREFIXES[index]!, count: SERVERS_EACH }),
    ),
  );
  const ms = performance.now() - start;
  const { mcpServers } = JSON.parse(readFileSync(file, 'utf8')) as { mcpServers: object };
  const all = SERVERS_EACH * PREFIXES.length;
  return [
    {
      kind: 'figures',
      title: `edits: two processes add ${SERVERS_EACH} servers each to one file at once`,
      rows: [
        figure({
          name: 'servers in the file',
          value: Object.keys(mcpServers).length,
          unit: '',
          target: { kind: 'at-least', value: all },
          note: `${(ms / all).toFixed(1)} ms for each edit`,
        }),
        noneOf('edits that were refused', refusals.flat().length, refusals.flat().join('; ')),
      ],
    },
  ];
}

function adding(env: NodeJS.ProcessEnv): Promise<SideProcess<AddPlan, readonly string[]>> {
  return SideProcess.start<AddPlan, readonly string[]>('config/adding-process.ts', { env });
}
