// Calls that a person saves at the console, in a file that may have come with its folder.

import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Scope } from '@plugboard/base';
import { tempFolder, type TempFolder, verifies } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RawAnswer, send } from '../attacks/raw-http.ts';
import { bearer, MARKED, openConsole } from './console-of.ts';

let scope: Scope;
let folder: TempFolder;
beforeEach(async () => {
  scope = new Scope();
  folder = scope.use(await tempFolder());
});
afterEach(() => scope.close());

const call = (name: string, text: string): object => ({
  name,
  server: 'one',
  tool: 'echo',
  arguments: { message: text },
  expect: { outcome: 'ok', values: [{ at: '/content/0/text', contains: text }] },
});

async function openWith(file: string | undefined) {
  const { at, secret } = await openConsole(scope, {
    console: { checks: file },
    address: { tokens: new Map([['token-of-ada-lovelace', 'ada']]) },
  });
  const save = (body: object, token = secret): Promise<RawAnswer> =>
    send(`${at}/api/checks`, {
      headers: { ...MARKED, ...bearer(token) },
      body: JSON.stringify(body),
    });
  return { save, at, secret };
}

describe('saved calls', () => {
  verifies('CON-UI');

  it('are added to the file, and take the place of one of the same name', async () => {
    const file = join(folder.path, 'plugboard-checks.json');
    const { save, at, secret } = await openWith(file);
    expect((await save(call('a', 'x'))).status).toBe(200);
    await save(call('b', 'y'));
    await save(call('a', 'z'));
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      checks: [call('a', 'z'), call('b', 'y')],
    });
    const listed = await send(`${at}/api/checks`, { method: 'GET', headers: bearer(secret) });
    expect(JSON.parse(listed.text)).toEqual({ file, checks: [call('a', 'z'), call('b', 'y')] });
  });

  it('are for administrators, and only where there is a file for them', async () => {
    const { save } = await openWith(join(folder.path, 'checks.json'));
    expect((await save(call('a', 'x'), 'token-of-ada-lovelace')).status).toBe(403);
    const without = await openWith(undefined);
    expect((await without.save(call('a', 'x'))).status).toBe(409);
  });

  it('leave a file that is something else as it is, and one that a link leads to', async () => {
    const strange = await folder.write('checks.json', '{ "name": "a package" }');
    const { save } = await openWith(strange);
    const refused = await save(call('a', 'x'));
    expect([refused.status, refused.text.includes('is left as it is')]).toEqual([409, true]);
    expect(await readFile(strange, 'utf8')).toBe('{ "name": "a package" }');
    const outside = scope.use(await tempFolder());
    await symlink(join(outside.path, 'new.json'), join(folder.path, 'link.json'));
    const linked = await openWith(join(folder.path, 'link.json'));
    expect((await linked.save(call('a', 'x'))).text).toContain('it is a link');
    await expect(readFile(join(outside.path, 'new.json'))).rejects.toThrow('ENOENT');
  });

  it('are checked before anything is written', async () => {
    const { save } = await openWith(join(folder.path, 'checks.json'));
    expect((await save({ ...call('a', 'x'), expect: { outcome: 'fine' } })).text).toContain(
      '/expect/outcome it is one of',
    );
  });
});
