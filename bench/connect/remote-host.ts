// A host that connects to remote servers, and reports the time until all working ones are connected and listed. Every
// measurement uses a new host without stored data.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHost, type Host } from '@plugboard/host';
import { hostEnvironment } from '@plugboard/host/configuration';
import { answerParent } from '../measure/answer-parent.ts';

export interface Remotes {
  readonly working: readonly string[];
  readonly broken: Readonly<Record<string, string>>;
}

answerParent(connect, () => process.exit());

async function connect({ working, broken }: Remotes): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'plugboard-bench-host-'));
  try {
    // Broken servers come first by name, where they could delay the others.
    const named = Object.entries(broken).map(([name, url]): [string, string] => [`a-${name}`, url]);
    const names = working.map((_, index) => `server-${index}`);
    const all = [...named, ...working.map((url, index): [string, string] => [names[index]!, url])];
    const found = hostEnvironment();
    const host = await createHost({
      files: 'none',
      servers: Object.fromEntries(all.map(([name, url]) => [name, { type: 'http', url }])),
      environment: { ...found, paths: { ...found.paths, state: folder, cache: folder } },
    });
    const ms = await timeUntilListed(host, names);
    const states = new Map(host.servers.map(({ name, state }) => [name, state.kind]));
    const notReady = names.filter((name) => states.get(name) !== 'ready');
    const well = named.filter(([name]) => states.get(name) === 'ready');
    await host.close();
    if (notReady.length > 0) throw new Error(`not ready after all: ${notReady.join(', ')}`);
    if (well.length > 0) throw new Error(`not broken: ${well.join(', ')}`);
    return ms;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function timeUntilListed(host: Host, names: readonly string[]): Promise<number> {
  const missing = new Set(names);
  const givenUp = new AbortController();
  const startedAt = performance.now();
  const listed = new Promise<number>((resolve) => {
    host.on((event) => {
      if (event.kind === 'tools' && missing.delete(event.server) && missing.size === 0) {
        resolve(performance.now() - startedAt);
      }
    });
  });
  // Ends only at the deadline of the silent server, or when the signal aborts.
  const everything = host.tools({ signal: givenUp.signal });
  const ms = await listed;
  givenUp.abort();
  await everything;
  return ms;
}
