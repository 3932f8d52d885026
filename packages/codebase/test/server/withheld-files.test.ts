import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { type TempFolder, tempFolder, verifies } from '@plugboard/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Codebase, createCodebase } from '../../src/index.ts';
import { newClient } from './cells.ts';

let place: TempFolder;

const SECRETS = [
  '.env',
  '.env.local',
  'app/.ENV.production',
  '.npmrc',
  '.netrc',
  '.git/config',
  'keys/id_rsa',
  'keys/server.pem',
  'deploy.key',
  '.aws/credentials',
];
const IGNORED = ['build/out.js', 'notes.local', 'sub/only-here.txt'];
const OPEN = [
  'src/a.ts',
  '.github/workflows/ci.yml',
  '.env.example',
  'keys/id_rsa.pub',
  '.gitignore',
];

beforeAll(async () => {
  place = await tempFolder();
  // The repository above ignores this whole folder, but its other rules apply in it.
  await place.write('above/.gitignore', 'tree/\n*.local\n');
  await place.write('above/tree/.gitignore', 'build/\n!.env\n*.local\n');
  await place.write('above/tree/sub/.gitignore', 'only-here.txt\n');
  for (const path of [...SECRETS, ...IGNORED, ...OPEN]) {
    if (path !== '.gitignore') await place.write(`above/tree/${path}`, 'password=needle-1\n');
  }
  await symlink('.env', join(place.path, 'above/tree/harmless.txt'));
});
afterAll(() => place[Symbol.asyncDispose]());

async function connected(
  ignored: 'refuse' | 'on-request',
): Promise<{ readonly client: Client; readonly codebase: Codebase }> {
  const codebase = createCodebase({
    root: join(place.path, 'above/tree'),
    cacheFolder: join(place.path, 'cache'),
    embedder: { kind: 'none' },
    indexing: 'when-asked',
    ignored,
  });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await codebase.server().connect(theirs);
  const client = newClient('legacy');
  await client.connect(ours);
  return { client, codebase };
}

async function textOf(client: Client, name: string, args: Record<string, unknown>) {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const [first] = content;
  return { isError: isError === true, text: first?.type === 'text' ? first.text : '' };
}

describe('an ignored or secret file', () => {
  verifies('POL-20');

  it.each([...SECRETS, ...IGNORED, 'harmless.txt'])(
    'is read only with "ignored": true: %s',
    async (path) => {
      const { client, codebase } = await connected('on-request');
      await using _codebase = codebase;
      for (const tool of ['read_file', 'chunk_file']) {
        const answer = await textOf(client, tool, { path });
        expect(answer).toMatchObject({
          isError: true,
          text: expect.stringContaining('"ignored": true'),
        });
        expect(answer.text).not.toContain('needle');
      }
      const files = await textOf(client, 'chunk_files', { paths: [path] });
      expect(files.text).toMatch(/^failed: /);
      const asked = await textOf(client, 'read_file', { path, ignored: true });
      expect(asked).toEqual({ isError: false, text: expect.stringContaining('needle-1') });
      await client.close();
    },
  );

  it.each(OPEN.filter((path) => path !== '.gitignore'))(
    'does not affect other files: %s',
    async (path) => {
      const { client, codebase } = await connected('refuse');
      await using _codebase = codebase;
      const answer = await textOf(client, 'read_file', { path });
      expect(answer).toEqual({ isError: false, text: expect.stringContaining('needle-1') });
      await client.close();
    },
  );

  it('is refused by a standalone server, which names the flag that allows it', async () => {
    const { client, codebase } = await connected('refuse');
    await using _codebase = codebase;
    const answer = await textOf(client, 'read_file', { path: '.env', ignored: true });
    expect(answer).toEqual({
      isError: true,
      text: '".env" is not read unasked: it looks like a secret (a key, a password, a token); to have such files read, start this server with --allow-ignored',
    });
    await client.close();
  });

  it('is in no search result, even when an ignore file re-includes it', async () => {
    const { client, codebase } = await connected('on-request');
    await using _codebase = codebase;
    const { text } = await textOf(client, 'search_code', { query: 'needle-1' });
    expect(text).toContain('src/a.ts (1)');
    for (const path of [...SECRETS, ...IGNORED]) expect(text).not.toContain(`${path} (`);
    await client.close();
  });
});
