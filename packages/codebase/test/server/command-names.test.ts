// The same server under both names of the command, from the official client.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { fileURLToPath } from 'node:url';
import { tempFolder, verifies, waitUntil } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { COMMAND, startProgram } from './server-process.ts';

const PLUGBOARD = fileURLToPath(new URL('../../../cli/bin/plugboard.js', import.meta.url));
const NAMES = [
  { name: 'plugboard-codebase', words: [COMMAND] },
  { name: 'plugboard codebase', words: [PLUGBOARD, 'codebase'] },
];

async function foundBy(client: Client): Promise<unknown> {
  const { tools } = await client.listTools();
  const { _meta } = await client.callTool({
    name: 'search_code',
    arguments: { query: 'needle' },
  });
  const { contents } = await client.readResource({ uri: 'codebase://files' });
  return { tools: tools.length, found: _meta?.['plugboard/data'], resources: contents.length };
}

const FOUND = {
  tools: 11,
  found: {
    files: [
      { path: 'a.ts', count: 1, matches: [{ line: 1, text: 'const needle = 1;', column: 7 }] },
    ],
    total: 1,
    is_complete: true,
  },
  resources: 1,
};

describe.concurrent.for(NAMES)('$name', ({ name, words }) => {
  verifies('COD-01');

  it('serves the folder that it is started in over stdio', async ({ expect }) => {
    await using folder = await tempFolder();
    await folder.write('code/a.ts', 'const needle = 1;\n');
    const client = new Client({ name: 'test', version: '1.0.0' });
    const wire = new StdioClientTransport({
      command: process.execPath,
      args: [...words, '--cache', `${folder.path}/cache`],
      cwd: `${folder.path}/code`,
      stderr: 'ignore',
    });
    await client.connect(wire);
    expect(await foundBy(client)).toEqual(FOUND);
    await client.close();
  });

  it('serves a given folder over HTTP, and ends when it receives a signal', async ({ expect }) => {
    await using folder = await tempFolder();
    await folder.write('code/a.ts', 'const needle = 1;\n');
    const where = ['--root', `${folder.path}/code`, '--cache', `${folder.path}/cache`];
    const server = startProgram([...words, ...where, '--http', '0']);
    const url = await waitUntil(() => /listening on (\S+)/.exec(server.stderr())?.[1], {
      describe: () => `the server to listen; it said: ${server.stderr()}`,
    });
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    expect(await foundBy(client)).toEqual(FOUND);
    await client.close();
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(server.stdout()).toBe('');
  });

  it('explains its flags under its own name', async ({ expect }) => {
    const help = startProgram([...words, '--help']);
    expect(await help.ended).toBe(0);
    expect(help.stdout()).toMatch(new RegExp(`^${name}: search and read a codebase`));
    expect(help.stdout()).toContain(`  ${name} [--root FOLDER] --http [PORT]`);
    const wrong = startProgram([...words, '--nothing']);
    expect(await wrong.ended).not.toBe(0);
    expect(wrong.stdout()).toBe('');
    expect(wrong.stderr()).toBe(`error: Unknown option '--nothing'\nfix: ${name} --help\n`);
  });

  it('reports what is wrong with an embedder or a store, and accepts no key as a flag', async ({
    expect,
  }) => {
    const key = startProgram([...words, '--embedder', 'openai:https://me:key@127.0.0.1#m']);
    expect(await key.ended).not.toBe(0);
    expect(key.stderr()).toBe(
      'error: embedder.url must not hold a password; fix: name a variable in apiKeyVariable\n',
    );
    const store = startProgram([...words, '--store', '{"kind":"qdrant"}']);
    expect(await store.ended).not.toBe(0);
    expect(store.stderr()).toBe(
      'error: store.url must be an address that begins with https:// or http://\n',
    );
  });
});
