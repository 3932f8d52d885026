// A host that starts local servers and is closed again. Reports the time of closing, and the processes that remain at
// its end. Linux only.

import { allowAll, createHost, type Host } from '@plugboard/host';
import { allProcesses, descendants, scriptedServer } from '@plugboard/testkit';
import { answerParent } from '../measure/answer-parent.ts';

export interface Servers {
  readonly servers: number;
  /** How many of them ignore signals and the end of stdin, and start processes of their own. */
  readonly stubborn: number;
}

export interface CloseReport {
  readonly ms: number;
  /** The number of processes before closing. */
  readonly started: number;
  /** The commands of remaining processes. */
  readonly left: readonly string[];
}

const GRANDCHILDREN = 2;

answerParent(close, () => process.exit());

async function close({ servers, stubborn }: Servers): Promise<CloseReport> {
  const before = new Set(descendants().map(({ pid }) => pid));
  const names = Array.from({ length: servers }, (_, index) => `server-${index}`);
  const entries = names.map((name, index) => [name, entry(index, index < stubborn)] as const);
  const host = await createHost({
    files: 'none',
    approve: allowAll,
    servers: Object.fromEntries(entries),
  });
  const groups = new Set(await Promise.all(names.map((name) => leaderOf(host, name))));
  const ours = () => {
    const below = new Set(descendants().map(({ pid }) => pid));
    return allProcesses().filter(
      ({ pid, group }) => groups.has(group) || (below.has(pid) && !before.has(pid)),
    );
  };
  const started = ours().length;
  const expected = servers + stubborn * GRANDCHILDREN;
  if (started !== expected) throw new Error(`${started} processes run instead of ${expected}`);
  const startedAt = performance.now();
  await host.close();
  const ms = performance.now() - startedAt;
  return { ms, started, left: ours().map(({ command }) => command) };
}

function entry(index: number, isStubborn: boolean): object {
  if (!isStubborn) return scriptedServer({ builtIns: ['pids'] });
  return scriptedServer({
    builtIns: ['pids'],
    ignoreSignals: ['SIGINT', 'SIGTERM'],
    ignoreStdinEnd: true,
    grandchildren: GRANDCHILDREN,
    // Half of them keep the pipes open, like processes started by npx.
    grandchildrenStdio: index % 2 === 0 ? 'ignore' : 'inherit',
  });
}

/** The server's process, which leads its own group. */
async function leaderOf(host: Host, server: string): Promise<number> {
  const outcome = await host.call({ server, tool: 'pids' }, {});
  const part = outcome.kind === 'result' ? outcome.parts.find(isStructured) : undefined;
  if (part === undefined) throw new Error(`the call came to ${JSON.stringify(outcome)}`);
  return (part.value as { readonly pid: number }).pid;
}

function isStructured<T extends { readonly kind: string }>(
  part: T,
): part is T & { readonly kind: 'structured' } {
  return part.kind === 'structured';
}
