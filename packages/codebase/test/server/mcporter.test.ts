// mcporter, an independent MCP client, run as a process against the command over stdio and over HTTP.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { tempFolder, verifies } from '@plugboard/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMAND, type HttpServerProcess, startHttp } from './server-process.ts';

const MCPORTER = fileURLToPath(
  new URL('../../../../node_modules/mcporter/dist/cli.js', import.meta.url),
);
const TOOLS = [
  'search_code',
  'search_by_embedding',
  'find_symbol',
  'outline',
  'list_directory',
  'read_file',
  'chunk_file',
  'chunk_files',
  'history',
  'search_structure',
  'index_status',
];
const PAUSES =
  '/** Waits longer after each failure. */\nexport function pause(n: number) {\n  return 2 ** n;\n}\n';

describe('mcporter', () => {
  verifies('COD-01');
  verifies('COD-22');
  let folder: Awaited<ReturnType<typeof tempFolder>>;
  let server: HttpServerProcess;
  let config: string;

  beforeAll(async () => {
    folder = await tempFolder();
    await folder.write('code/src/pauses.ts', PAUSES);
    await folder.mkdir('home');
    for (const args of [['init'], ['add', '--all'], ['commit', '--message', 'Pause longer']]) {
      const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
      const env = { PATH: process.env['PATH'], HOME: `${folder.path}/home` };
      await promisify(execFile)('git', [...who, ...args], { cwd: `${folder.path}/code`, env });
    }
    const serving = ['--root', `${folder.path}/code`, '--cache', `${folder.path}/cache`];
    server = await startHttp(serving);
    const mcpServers = {
      stdio: { command: process.execPath, args: [COMMAND, ...serving] },
      http: { baseUrl: server.url },
    };
    config = await folder.write('mcporter.json', JSON.stringify({ mcpServers, imports: [] }));
  });

  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  async function mcporter(...args: readonly string[]): Promise<unknown> {
    const home = `${folder.path}/home`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [MCPORTER, '--config', config, ...args],
      { cwd: home, env: { PATH: process.env['PATH'], HOME: home, XDG_CONFIG_HOME: home } },
    );
    return JSON.parse(stdout) as unknown;
  }

  /** The data of a result, which is separate from the text for models. */
  const call = async (over: string, tool: string, given: object): Promise<unknown> => {
    const args = ['--output', 'json', '--args', JSON.stringify(given)];
    const result = await mcporter('call', `${over}.${tool}`, ...args);
    return (result as { readonly _meta: Readonly<Record<string, unknown>> })._meta[
      'plugboard/data'
    ];
  };

  it('lists the tools over both transports', async () => {
    const { servers } = (await mcporter('list', '--json')) as {
      readonly servers: readonly {
        readonly name: string;
        readonly status: string;
        readonly tools: readonly { readonly name: string }[];
      }[];
    };
    const seen = servers.map(({ name, status, tools }) => ({
      name,
      status,
      tools: tools.map((tool) => tool.name),
    }));
    expect(seen).toEqual([
      { name: 'stdio', status: 'ok', tools: TOOLS },
      { name: 'http', status: 'ok', tools: TOOLS },
    ]);
  });

  it.each(['stdio', 'http'])('searches text and reads files over %s', async (over) => {
    expect(await call(over, 'search_code', { query: 'pause(' })).toEqual({
      files: [
        {
          path: 'src/pauses.ts',
          count: 1,
          matches: [{ line: 2, text: 'export function pause(n: number) {', column: 17 }],
        },
      ],
      total: 1,
      is_complete: true,
    });
    expect(await call(over, 'read_file', { path: 'src/pauses.ts' })).toMatchObject({
      text: PAUSES,
    });
  });

  it('lists, chunks and ranks over HTTP', async () => {
    expect(await call('http', 'list_directory', { path: 'src' })).toMatchObject({
      entries: [{ name: 'pauses.ts' }],
    });
    expect(await call('http', 'chunk_file', { path: 'src/pauses.ts' })).toMatchObject({
      chunks: [{ kind: 'function', symbol: 'pause' }],
    });
    expect(await call('http', 'chunk_files', { paths: ['src/pauses.ts'] })).toMatchObject({
      files: [{ path: 'src/pauses.ts', status: 'ok' }],
    });
    expect(await call('http', 'index_status', { wait_seconds: 60 })).toMatchObject({ files: 1 });
    expect(await call('http', 'find_symbol', { name: 'pause' })).toMatchObject({
      definitions: [{ path: 'src/pauses.ts', symbol: 'pause', line: 2 }],
    });
    expect(await call('http', 'outline', { path: 'src/pauses.ts' })).toMatchObject({
      symbols: [{ symbol: 'pause', signature: 'export function pause(n: number)' }],
    });
    const shape = { language: 'ts', pattern: 'return $X' };
    expect(await call('http', 'search_structure', shape)).toMatchObject({
      matches: [{ path: 'src/pauses.ts', bound: { X: '2 ** n' } }],
    });
    expect(await call('http', 'history', { path: 'src/pauses.ts' })).toMatchObject({
      commits: [{ subject: 'Pause longer' }],
    });
    const ranked = await call('http', 'search_by_embedding', {
      query: 'wait after a failure',
      wait_seconds: 60,
    });
    expect(ranked).toMatchObject({ results: [{ path: 'src/pauses.ts', symbol: 'pause' }] });
  });
});
