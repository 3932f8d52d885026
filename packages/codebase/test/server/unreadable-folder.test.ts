import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { chmod, chown } from 'node:fs/promises';
import { join } from 'node:path';
import { tempFolder, waitUntil } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { COMMAND } from './server-process.ts';

/**
 * The superuser can read every folder. For the superuser the server therefore runs as the owner of the program, or
 * without the capabilities that bypass permissions.
 */
const isSuperuser = process.getuid?.() === 0;
const owner = statSync(COMMAND);
const user = isSuperuser && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : {};
const POWERS = '-dac_override,-dac_read_search';
const POWERLESS =
  isSuperuser && owner.uid === 0
    ? ['setpriv', `--bounding-set=${POWERS}`, `--inh-caps=${POWERS}`]
    : [];

interface ToolAnswer {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
}

describe.skipIf(process.platform === 'win32')('a folder that the server may not read', () => {
  it('is named in the error for it, and does not hide other files', async () => {
    await using place = await tempFolder();
    await place.write('tree/open/a.ts', 'export function openThing() {}\n');
    await place.write('tree/closed/b.ts', 'export function closedThing() {}\n');
    const cache = await place.mkdir('cache');
    await chmod(place.path, 0o755);
    if (user.uid !== undefined) await chown(cache, user.uid, user.gid);
    await chmod(join(place.path, 'tree/closed'), 0);
    const root = join(place.path, 'tree');
    const args = ['--root', root, '--cache', cache, '--embedder', 'none', '--http', '0'];
    const [program = '', ...words] = [...POWERLESS, process.execPath, COMMAND, ...args];
    const child = spawn(program, words, { ...user, stdio: 'pipe' });
    const ended = once(child, 'close');
    let said = '';
    child.stderr.on('data', (piece: Buffer) => (said += piece.toString('utf8')));
    try {
      const url = await waitUntil(() => /listening on (\S+)/.exec(said)?.[1], {
        describe: () => `the server to listen; it said: ${said}`,
      });
      const ask = (name: string, given: object): Promise<ToolAnswer> => call(url, name, given);
      expect(await ask('list_directory', { path: 'closed' })).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('does not let this server read it') as string }],
      });
      expect(await ask('read_file', { path: 'closed/b.ts' })).toMatchObject({ isError: true });
      expect(await ask('list_directory', {})).toMatchObject({
        _meta: { 'plugboard/data': { entries: [{ name: 'closed' }, { name: 'open' }] } },
      });
      expect(await ask('search_code', { query: 'Thing' })).toMatchObject({
        _meta: { 'plugboard/data': { files: [{ path: 'open/a.ts' }] } },
      });
      expect(
        await ask('search_by_embedding', { query: 'openThing', wait_seconds: 60 }),
      ).toMatchObject({
        _meta: { 'plugboard/data': { results: [{ path: 'open/a.ts' }] } },
      });
    } finally {
      child.kill('SIGTERM');
      await ended;
      await chmod(join(place.path, 'tree/closed'), 0o755);
    }
  });
});

async function call(url: string, name: string, given: object): Promise<ToolAnswer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name, arguments: given },
    }),
  });
  const { result } = (await response.json()) as { readonly result: ToolAnswer };
  return result;
}
