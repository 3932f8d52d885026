import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tempFolder, type TempFolder, verifies, waitUntil } from '@plugboard/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from './cells.ts';
import { type ServerProcess, startCommand, startProgram } from './server-process.ts';

let place: TempFolder;
let common: readonly string[];

beforeAll(async () => {
  place = await tempFolder();
  await place.write('tree/a.txt', 'needle');
  common = ['--root', join(place.path, 'tree'), '--cache', join(place.path, 'cache')];
});
afterAll(() => place[Symbol.asyncDispose]());

const messages = (server: ServerProcess): readonly unknown[] =>
  server
    .stdout()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);

const PING = '{"jsonrpc":"2.0","id":9,"method":"ping"}\n';

const INITIALIZE = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1.0.0' },
  },
})}\n`;

/** Input before initialization, with the code and the id of the answer. */
const WRONG_LINES = [
  ['nonsense', -32_700, null],
  ['{"jsonrpc":"2.0"', -32_700, null],
  ['[]', -32_600, null],
  ['{"id":4,"jsonrpc":"2.0"}', -32_600, 4],
  ['5', -32_600, null],
  ['{"jsonrpc":"2.0","id":4,"method":"tools/list"}', -32_000, 4],
  ['{"jsonrpc":"2.0","id":4,"method":"nothing"}', -32_000, 4],
] as const;

describe('the server over stdio', () => {
  verifies('COD-01');

  it('answers input that is not a request with a JSON-RPC error code, and continues', async () => {
    await using server = startCommand(common);
    let answers = 0;
    for (const [line, code, id] of WRONG_LINES) {
      server.child.stdin.write(`${line}\n${PING}`);
      answers += 2;
      await waitUntil(() => messages(server).length >= answers, {
        describe: `an answer to ${line}, and one to the ping`,
      });
      expect(messages(server).slice(-2)).toMatchObject([
        { jsonrpc: '2.0', id, error: { code } },
        { jsonrpc: '2.0', id: 9, result: {} },
      ]);
    }
  });

  it('answers a legacy client with error codes after initialization, and initializes it once', async () => {
    verifies('COD-10');
    await using server = startCommand(common);
    const request = (id: number, rest: object): string =>
      `${JSON.stringify({ jsonrpc: '2.0', id, ...rest })}\n`;
    const answers = (count: number): Promise<unknown> =>
      waitUntil(() => messages(server).length >= count, {
        describe: () => `${count} answers, in ${server.stdout()}`,
      });
    const unfit = { method: 'initialize', params: { protocolVersion: 5 } };
    server.child.stdin.write(`${request(2, { method: 'tools/list' })}${request(3, unfit)}`);
    await answers(2);
    server.child.stdin.write(
      [
        INITIALIZE,
        request(4, { method: 'nothing' }),
        request(5, { method: 'tools/call', params: { name: 5 } }),
        INITIALIZE.replace('"id":1', '"id":6'),
        PING,
      ].join(''),
    );
    await answers(7);
    const codes = (messages(server) as readonly { id: number; error?: { code: number } }[]).map(
      ({ id, error }) => [id, error?.code],
    );
    expect(Object.fromEntries(codes)).toEqual({
      2: -32_000,
      3: expect.any(Number) as number,
      1: undefined,
      4: -32_601,
      5: -32_602,
      6: -32_000,
      9: undefined,
    });
  });

  it('survives a line that is far too long', async () => {
    await using server = startCommand(common);
    server.child.stdin.write(`"${'x'.repeat(9_000_000)}"\n${PING}`);
    await waitUntil(() => messages(server).length > 1, {
      describe: 'two answers',
    });
    expect(messages(server)).toMatchObject([{ error: { code: -32_600 } }, { id: 9, result: {} }]);
  });

  it('ends when its client disconnects, and when it receives a signal', async () => {
    await using left = startCommand(common);
    left.child.stdin.write(PING);
    await waitUntil(() => messages(left).length > 0, { describe: 'an answer' });
    left.child.stdin.end();
    expect(await left.ended).toBe(0);
    await using stopped = startCommand(common);
    stopped.child.stdin.write(PING);
    await waitUntil(() => messages(stopped).length > 0, {
      describe: 'an answer',
    });
    stopped.child.kill('SIGTERM');
    expect(await stopped.ended).toBe(0);
  });

  it('answers piped requests before it ends', async () => {
    await using server = startCommand(common);
    const params = { name: 'search_code', arguments: { query: 'needle' } };
    server.child.stdin.end(
      `${INITIALIZE}${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params })}\n`,
    );
    expect(await server.ended).toBe(0);
    expect(messages(server)).toMatchObject([
      { id: 1 },
      { id: 2, result: { _meta: { 'plugboard/data': { total: 1 } } } },
    ]);
  });

  it('reports mistakes on stderr, and prints nothing on stdout', async () => {
    await using nowhere = startCommand(['--root', join(place.path, 'nowhere')]);
    expect(await nowhere.ended).toBe(1);
    expect(nowhere.stderr()).toContain('there is no folder');
    expect(nowhere.stdout()).toBe('');
    await using mistaken = startCommand(['--prot', '5']);
    expect(await mistaken.ended).toBe(2);
    expect(mistaken.stdout()).toBe('');
  });

  it('keeps output of other code in its process off stdout', async () => {
    const noisy = fileURLToPath(new URL('fixtures/noisy-server.mjs', import.meta.url));
    await using server = startProgram([noisy, join(place.path, 'tree'), join(place.path, 'cache')]);
    await waitUntil(() => server.stderr().includes('noise'), {
      describe: 'the noise',
    });
    server.child.stdin.write(PING);
    await waitUntil(() => messages(server).length > 0, { describe: 'an answer' });
    expect(messages(server)).toEqual([{ jsonrpc: '2.0', id: 9, result: {} }]);
  });

  it('serves one root from two processes at once, each seeing the other’s edits', async () => {
    const at = { root: join(place.path, 'tree'), cache: join(place.path, 'shared-cache') };
    await using first = await connect({ era: 'legacy', transport: 'stdio' }, at);
    await using second = await connect({ era: 'modern', transport: 'stdio' }, at);
    await place.write('tree/b.txt', 'haystack');
    for (const { client } of [first, second]) {
      await waitUntil(
        async () => {
          const found = await client.callTool({
            name: 'search_code',
            arguments: { query: 'haystack' },
          });
          const data = found._meta?.['plugboard/data'];
          return (data as { total: number }).total === 1;
        },
        { describe: 'the edit to be found' },
      );
    }
  });
});
