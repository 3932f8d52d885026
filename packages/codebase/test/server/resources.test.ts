import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { tempFolder, type TempFolder, verifies, waitUntil } from '@plugboard/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CELLS, type Cell, connect, type ConnectedClient } from './cells.ts';

/** These fill two pages. */
const FILES = 1200;
/** All files, including one with content. */
const ALL = FILES + 1;

async function readJson(client: Client, uri: string): Promise<Record<string, unknown>> {
  const { contents } = await client.readResource({ uri });
  const [first] = contents;
  if (first === undefined || !('text' in first)) throw new Error('no text');
  return JSON.parse(first.text) as Record<string, unknown>;
}

/** Calls `onUpdate` when the listing of files has changed, by subscribing as the era requires. */
async function follow(client: Client, cell: Cell, onUpdate: (uri: string) => void): Promise<void> {
  client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
    onUpdate(params.uri),
  );
  if (cell.era === 'legacy') await client.subscribeResource({ uri: 'codebase://files' });
  else await client.listen({ resourceSubscriptions: ['codebase://files'] });
}

describe.each(CELLS)('the resources, $era over $transport', (cell) => {
  verifies('COD-01');
  let place: TempFolder;
  let connected: ConnectedClient;
  let client: Client;

  beforeAll(async () => {
    place = await tempFolder();
    for (let index = 0; index < FILES; index += 1) {
      await place.write(`tree/f${String(index).padStart(4, '0')}.txt`, `file ${index}`);
    }
    await place.write('tree/a.ts', 'export function retryDelay(): number {\n  return 5;\n}\n');
    const at = { root: join(place.path, 'tree'), cache: join(place.path, 'cache') };
    connected = await connect(cell, at);
    ({ client } = connected);
  });
  afterAll(async () => {
    await connected[Symbol.asyncDispose]();
    await place[Symbol.asyncDispose]();
  });

  it('are listed, with templates', async () => {
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['codebase://search', 'codebase://files']);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'codebase://search/{query}',
      'codebase://files{?cursor}',
    ]);
  });

  it('answer a query in the address', async () => {
    const { contents } = await client.readResource({ uri: 'codebase://search' });
    expect(contents).toMatchObject([{ mimeType: 'text/plain' }]);
    const uri = 'codebase://search/where%20is%20the%20retry%20delay';
    await waitUntil(async () => (await readJson(client, uri))['read_share'] === 1, {
      describe: 'all files to be read',
    });
    const answer = await readJson(client, uri);
    expect(answer).toMatchObject({
      query: 'where is the retry delay',
      mode: expect.stringMatching(/^(lexical|hybrid)$/) as unknown,
    });
    const [first] = answer['results'] as { path: string }[];
    expect(first).toMatchObject({ path: 'a.ts', start_line: 1, symbol: 'retryDelay' });
    await expect(client.readResource({ uri: 'codebase://search/a%00b' })).rejects.toMatchObject({
      code: -32_602,
    });
  });

  it('page through all files', async () => {
    verifies('COD-07');
    const paths: string[] = [];
    let uri: string | undefined = 'codebase://files';
    while (uri !== undefined) {
      const page: { files: { path: string }[]; next?: string } = (await readJson(
        client,
        uri,
      )) as never;
      expect(page.files.length).toBeLessThanOrEqual(1000);
      paths.push(...page.files.map(({ path }) => path));
      uri = page.next;
    }
    expect(paths.length).toBe(ALL);
    expect(paths).toEqual(paths.toSorted());
    await expect(client.readResource({ uri: 'codebase://files?cursor=%21' })).rejects.toMatchObject(
      { code: -32_602 },
    );
  });

  it('refuse an unknown address', async () => {
    await expect(client.readResource({ uri: 'codebase://nothing' })).rejects.toMatchObject({
      code: -32_602,
    });
  });

  it('notify subscribers of an edit, and show it', async () => {
    const told: string[] = [];
    await follow(client, cell, (uri) => told.push(uri));
    await place.write('tree/new.txt', 'new');
    await waitUntil(() => told.length > 0, { describe: 'the news' });
    expect(new Set(told)).toEqual(new Set(['codebase://files']));
    const { total } = await readJson(client, 'codebase://files');
    expect(total).toBe(ALL + 1);
    await rm(join(place.path, 'tree/new.txt'));
    await waitUntil(async () => (await readJson(client, 'codebase://files'))['total'] === ALL, {
      describe: 'the file to be gone',
    });
  });

  it('refuse a subscription to a resource that never changes', async () => {
    if (cell.era === 'legacy') {
      await expect(client.subscribeResource({ uri: 'codebase://search' })).rejects.toMatchObject({
        code: -32_602,
      });
      return;
    }
    const { honoredFilter } = await client.listen({
      toolsListChanged: true,
      resourceSubscriptions: ['codebase://files'],
    });
    expect(honoredFilter).toEqual({ resourceSubscriptions: ['codebase://files'] });
  });
});
