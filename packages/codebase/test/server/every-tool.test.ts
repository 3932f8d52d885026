// The official clients of both eras call every tool of the command with the example in its description.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { isLong, tempFolder, type TempFolder, verifies } from '@plugboard/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Place } from './cells.ts';
import { COMMAND, startHttp } from './server-process.ts';

const RETRY = [
  '/** Waits longer after each failure. */',
  'export class Model {',
  '  save(): void {',
  '    retry(this);',
  '  }',
  '}',
  'export function retry(what: unknown) {',
  '  new Model().save();',
  '  return fetch(String(what), { method: "GET" });',
  '}',
  ...Array.from({ length: 40 }, (_, at) => `// Line ${at}.`),
  '',
].join('\n');

interface ListedTool {
  readonly name: string;
  readonly description?: string | undefined;
}

interface Told {
  readonly progress: number;
  readonly message?: string | undefined;
}

interface AnyClient extends AsyncDisposable {
  list(): Promise<readonly ListedTool[]>;
  call(
    name: string,
    args: Record<string, unknown>,
    onprogress?: (told: Told) => void,
  ): Promise<Record<string, unknown>>;
}

let folder: TempFolder;
let place: Place;

beforeAll(async () => {
  folder = await tempFolder();
  for (const path of ['retry.ts', 'pause.ts', 'user/controller.ts', 'server/http.ts']) {
    await folder.write(`code/src/${path}`, RETRY);
  }
  place = { root: `${folder.path}/code`, cache: `${folder.path}/cache` };
  for (const args of [['init'], ['add', '--all'], ['commit', '--message', 'Try again']]) {
    const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
    await promisify(execFile)('git', [...who, ...args], { cwd: place.root });
  }
});
afterAll(() => folder[Symbol.asyncDispose]());

async function oldClient(over: 'stdio' | 'http', { root, cache }: Place): Promise<AnyClient> {
  const args = ['--root', root, '--cache', cache];
  const server = over === 'http' ? await startHttp(args) : undefined;
  const client = new OldClient({ name: 'test', version: '1.0.0' });
  await client.connect(
    server === undefined
      ? new OldStdio({ command: process.execPath, args: [COMMAND, ...args], stderr: 'ignore' })
      : new OldHttp(new URL(server.url)),
  );
  return {
    list: async () => (await client.listTools()).tools,
    call: (name, given, onprogress = () => {}) =>
      client.callTool({ name, arguments: given }, undefined, { onprogress }),
    async [Symbol.asyncDispose]() {
      await client.close();
      await server?.[Symbol.asyncDispose]();
    },
  };
}

async function newClient(transport: 'stdio' | 'http', where: Place): Promise<AnyClient> {
  const connected = await connect({ era: 'modern', transport }, where);
  const { client } = connected;
  return {
    list: async () => (await client.listTools()).tools,
    call: (name, given, onprogress = () => {}) =>
      client.callTool({ name, arguments: given }, { onprogress }),
    [Symbol.asyncDispose]: () => connected[Symbol.asyncDispose](),
  };
}

/** The first one in a description, as a model would copy it. */
function exampleIn({ description = '' }: ListedTool): Record<string, unknown> {
  const from = description.indexOf('{"');
  for (let end = description.indexOf('}', from); end > 0; end = description.indexOf('}', end + 1)) {
    try {
      return JSON.parse(description.slice(from, end + 1)) as Record<string, unknown>;
    } catch {
      // A nested brace.
    }
  }
  throw new Error(`no example in ${JSON.stringify(description)}`);
}

describe('the official clients', () => {
  verifies('COD-22');

  const ALL = [
    ['of 2025-11-25', 'stdio', oldClient],
    ['of 2026-07-28', 'http', newClient],
    ['of 2025-11-25', 'http', oldClient],
    ['of 2026-07-28', 'stdio', newClient],
  ] as const;

  it.each(ALL.slice(0, isLong ? 4 : 2))(
    '%s use every tool over %s by the example of its description',
    async (_, over, open) => {
      await using client = await open(over, place);
      const tools = await client.list();
      expect(tools.length).toBeGreaterThan(10);
      expect(tools.length).toBeLessThan(12);
      await client.call('index_status', { wait_seconds: 60 });
      const answers = new Map<string, unknown>();
      for (const tool of tools) {
        const result = await client.call(tool.name, exampleIn(tool));
        const meta = result['_meta'] as Record<string, unknown> | undefined;
        answers.set(tool.name, result['isError'] === true ? result : meta?.['plugboard/data']);
      }
      expect(Object.fromEntries(answers)).toMatchObject({
        search_code: { is_complete: true, files: expect.arrayContaining([expect.anything()]) },
        search_by_embedding: { mode: 'hybrid' },
        find_symbol: { definitions: expect.anything(), references: expect.anything() },
        outline: { path: 'src/server', symbols: expect.arrayContaining([expect.anything()]) },
        list_directory: { found: ['src/user/controller.ts'] },
        read_file: { path: 'src/retry.ts', start_line: 10 },
        chunk_file: { path: 'src/retry.ts', how: 'syntax' },
        chunk_files: { ok: 2, failed: 0 },
        history: { commits: [{ subject: 'Try again' }] },
        search_structure: { total: 4, matches: expect.anything() },
        index_status: { phase: 'ready', files: 4 },
      });
    },
  );

  it.each(ALL.slice(0, isLong ? 4 : 2))(
    '%s hear over %s how far the index is while a call waits for it',
    async (_, over, open) => {
      await using tree = await tempFolder();
      for (let count = 0; count < 150; count += 1) {
        await tree.write(`code/src/f${count}.ts`, RETRY.replaceAll('retry', `retry${count}`));
      }
      await using client = await open(over, {
        root: `${tree.path}/code`,
        cache: `${tree.path}/cache`,
      });
      const told: Told[] = [];
      await client.call('index_status', { wait_seconds: 100 }, (one) => told.push(one));
      const reading = told.filter(({ message }) => message?.startsWith('reading: ') === true);
      expect(reading.length).toBeGreaterThan(0);
      expect(reading.at(-1)?.message).toMatch(/^reading: \d+ of 150$/);
    },
  );
});
