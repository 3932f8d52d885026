import { join } from 'node:path';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import { tempFolder } from '@plugboard/testkit';
import { expect, it } from 'vitest';
import { createCodebase } from '../../src/index.ts';
import { openParts } from '../../src/server/open-parts.ts';
import type { CodebaseParts } from '../../src/server/parts/codebase-parts.ts';
import { newClient } from './cells.ts';

/** More than a busy machine needs, and less than reading the whole tree takes. */
const MOST_MS = 30_000;
const FILES = 400;
const MOST_ASKED = 15;
const BODY = '  const value = readValue(input, { retries: 3 });\n'.repeat(40);

it('a codebase answers search_code at once, repeatedly, while the tree is read for the first time', async () => {
  await using place = await tempFolder();
  for (let number = 0; number < FILES; number += 1) {
    const text = `export function made${number}(input: string) {\n${BODY}}\n`;
    await place.write(`tree/src/f${number}.ts`, text);
  }
  let parts: CodebaseParts | undefined;
  await using codebase = createCodebase({
    root: join(place.path, 'tree'),
    cacheFolder: join(place.path, 'cache'),
    embedder: { kind: 'none' },
    async open(given, ports) {
      const opened = await openParts(given, ports);
      ({ parts } = opened);
      return opened;
    },
  });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = newClient('modern');
  await codebase.server().connect(theirs);
  await client.connect(ours);
  const ms: number[] = [];
  do {
    const startedAt = performance.now();
    const query = `made${ms.length}(`;
    const answer = await client.callTool({ name: 'search_code', arguments: { query } });
    ms.push(performance.now() - startedAt);
    expect(answer._meta?.['plugboard/data']).toMatchObject({
      files: [{ path: `src/f${ms.length - 1}.ts` }],
    });
  } while ((await parts?.index.state())?.kind === 'indexing' && ms.length < MOST_ASKED);
  expect(ms.length).toBeGreaterThan(1);
  expect(Math.max(...ms)).toBeLessThan(MOST_MS);
  const ranked = await client.callTool({
    name: 'search_by_embedding',
    arguments: { query: `made${FILES - 1}`, max_results: 1, wait_seconds: 60 },
  });
  expect(ranked._meta?.['plugboard/data']).toMatchObject({
    results: [{ path: `src/f${FILES - 1}.ts` }],
  });
  await client.close();
});
