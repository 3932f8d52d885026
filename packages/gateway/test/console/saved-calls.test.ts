// Calls that a person saves at the console, in a file that may have come with its folder.

import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Scope } from '@plugboard/base';
import { scriptedServer, tempFolder, type TempFolder, verifies } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CheckOutcome } from '../../src/console-api.ts';
import type { GatewayOptions } from '../../src/index.ts';
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

async function openWith(file: string | undefined, host: GatewayOptions['host'] = {}) {
  const { at, secret } = await openConsole(scope, {
    host,
    console: { checks: file },
    address: { tokens: new Map([['token-of-ada-lovelace', 'ada']]) },
  });
  const post = (path: string, body: object, token = secret): Promise<RawAnswer> =>
    send(`${at}/api/${path}`, {
      headers: { ...MARKED, ...bearer(token) },
      body: JSON.stringify(body),
    });
  const save = (body: object, token = secret): Promise<RawAnswer> => post('checks', body, token);
  return { save, post, at, secret };
}

describe('saved calls', () => {
  verifies('CON-UI');

  it('are added to the file, or replace one with the same name', async () => {
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

  it('are only for administrators, and only if there is a file', async () => {
    const { save } = await openWith(join(folder.path, 'checks.json'));
    expect((await save(call('a', 'x'), 'token-of-ada-lovelace')).status).toBe(403);
    const without = await openWith(undefined);
    expect((await without.save(call('a', 'x'))).status).toBe(409);
  });

  it('leave the file unchanged if it is something else, or a link', async () => {
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

  it('are run by name as calls of a client, and compared as the command compares', async () => {
    const servers = { one: scriptedServer({ builtIns: ['echo'] }) };
    const { save, post, at, secret } = await openWith(join(folder.path, 'checks.json'), {
      servers,
      approve: () => ({ kind: 'allow' }),
    });
    const token = `ghp_${'a'.repeat(36)}`;
    await save(call('passes', 'x'));
    await save({
      ...call('fails', token),
      expect: { values: [{ at: '/content/0/text', equals: 'other' }] },
    });
    const check = async (name: string): Promise<CheckOutcome> =>
      JSON.parse((await post('checks/run', { name })).text) as CheckOutcome;
    const passed = await check('passes');
    expect(passed).toMatchObject({ state: 'ok', deviations: [] });
    expect((await check('fails')).deviations).toEqual([
      '/content/0/text is "(hidden)"; expected: "other"',
    ]);
    const recorded = await send(`${at}/api/calls/${passed.call}`, {
      method: 'GET',
      headers: bearer(secret),
    });
    expect(JSON.parse(recorded.text)).toMatchObject({ clientName: 'console', subject: 'echo' });
  });

  it('are denied by a rule like any call, and then deviate from the expectation', async () => {
    const { save, post } = await openWith(join(folder.path, 'checks.json'), {
      servers: { one: scriptedServer({ builtIns: ['echo'] }) },
      permissions: { deny: ['one/echo'] },
    });
    await save(call('a', 'x'));
    const outcome = JSON.parse((await post('checks/run', { name: 'a' })).text) as CheckOutcome;
    expect(outcome.state).toBe('denied');
    expect(outcome.deviations[0]).toBe('the outcome is denied, and not ok');
  });

  it('are removed by name, and only administrators can run and remove them', async () => {
    const file = join(folder.path, 'checks.json');
    const { save, post } = await openWith(file);
    await save(call('a', 'x'));
    await save(call('b', 'y'));
    for (const path of ['checks/run', 'checks/remove']) {
      expect((await post(path, { name: 'a' }, 'token-of-ada-lovelace')).status).toBe(403);
      expect((await post(path, { name: 'none' })).status).toBe(404);
    }
    expect((await post('checks/run', { name: 'a' })).status).toBe(404);
    expect((await post('checks/remove', { name: 'a' })).status).toBe(200);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ checks: [call('b', 'y')] });
  });

  it('are checked before anything is written', async () => {
    const { save } = await openWith(join(folder.path, 'checks.json'));
    expect((await save({ ...call('a', 'x'), expect: { outcome: 'fine' } })).text).toContain(
      '/expect/outcome it is one of',
    );
  });
});
