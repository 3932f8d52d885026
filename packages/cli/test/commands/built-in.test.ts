// The built-in server, in a project without configuration.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { allProcesses, verifies, waitUntil } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { documentOf, finished, type Run, sandbox, type Sandbox } from '../sandbox.ts';

const ON = { env: { PLUGBOARD_CODEBASE: 'on' } };
const PAUSES =
  '/** Waits longer after each failure. */\nexport function pause(n: number) {\n  return 2 ** n;\n}\n';

async function project(): Promise<Sandbox> {
  const box = await sandbox();
  await box.write('src/pauses.ts', PAUSES);
  return box;
}

async function called(box: Sandbox, tool: string, ...given: readonly string[]): Promise<unknown> {
  const run = await box.run(['call', 'codebase', tool, ...given, '--json'], ON);
  const { meta } = documentOf(run) as { readonly meta?: Readonly<Record<string, unknown>> };
  return meta?.['plugboard/data'];
}

const userFile = (box: Sandbox): string => `${box.home}/.config/plugboard/settings.json`;
const USER_SETTINGS = '../home/.config/plugboard/settings.json';

describe.concurrent('the built-in server', () => {
  verifies('COD-01');

  it('is listed in every project, and not started by list', async ({ expect }) => {
    await using box = await project();
    expect(await box.run(['list'], ON)).toEqual({
      code: 0,
      stdout:
        'NAME      STATE  TYPE  SCOPE     CONFIGURED AT  RUNS\n' +
        'codebase  idle   sdk   built-in  built in       (in this program)\n',
      stderr: 'No servers are configured here.\nAdd one: plugboard add NAME -- COMMAND\n',
    });
    expect(documentOf(await box.run(['list', '--json'], ON))).toEqual({
      servers: [
        {
          name: 'codebase',
          state: 'idle',
          transport: 'sdk',
          target: '(in this program)',
          scope: 'dynamic',
          origin: { kind: 'given', by: 'plugboard' },
          problems: [],
        },
      ],
      diagnostics: [],
    });
  });

  it('is not listed if the environment disables it', async ({ expect }) => {
    await using box = await project();
    expect((await box.run(['list'])).stdout).toBe('');
    expect((await box.run(['call', 'codebase', 'search_code', 'query=x'])).code).toBe(1);
  });

  it('returns a secret only with "ignored", which needs approval for a model', async ({
    expect,
  }) => {
    verifies('POL-20');
    await using box = await project();
    await box.write('.env', 'PASSWORD=hunter2\n');
    const refused = await box.run(['call', 'codebase', 'read_file', 'path=.env'], ON);
    expect([refused.code, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toContain('it looks like a secret');
    const call = ['codebase/read_file', 'path=.env', 'ignored=true'];
    const explained = await box.run(['permissions', ...call], ON);
    expect(explained.stdout).toBe(
      'codebase/read_file is asked about\n  because of the default for files that an ignore file leaves out or that look like secrets (to allow them all: plugboard permissions codebase/read_file --allow)\n',
    );
    await box.run(['permissions', 'codebase/read_file', '--allow'], ON);
    const allowed = await box.run(['permissions', ...call], ON);
    expect(allowed.stdout).toMatch(/^codebase\/read_file runs without asking\n/);
    const typed = await box.run(['call', 'codebase', 'read_file', 'path=.env', 'ignored=true'], ON);
    expect(typed).toMatchObject({ code: 0, stdout: '1: PASSWORD=hunter2\n' });
  });

  it('answers every tool call of the command', async ({ expect }) => {
    await using box = await project();
    const tools = documentOf(await box.run(['tools', 'codebase', '--json'], ON)) as {
      readonly tools: readonly { readonly tool: string }[];
    };
    expect(tools.tools.map(({ tool }) => tool)).toEqual([
      'chunk_file',
      'chunk_files',
      'find_symbol',
      'history',
      'index_status',
      'list_directory',
      'outline',
      'read_file',
      'search_by_embedding',
      'search_code',
      'search_structure',
    ]);
    expect(await called(box, 'search_code', 'query=pause(')).toMatchObject({
      files: [{ path: 'src/pauses.ts', count: 1 }],
      total: 1,
      is_complete: true,
    });
    expect(await called(box, 'read_file', 'path=src/pauses.ts')).toMatchObject({
      text: PAUSES,
    });
    expect(await called(box, 'list_directory', 'path=src')).toMatchObject({
      entries: [{ name: 'pauses.ts' }],
    });
    expect(await called(box, 'chunk_file', 'path=src/pauses.ts')).toMatchObject({
      chunks: [{ symbol: 'pause' }],
    });
    expect(await called(box, 'chunk_files', 'paths:=["src/pauses.ts"]')).toMatchObject({
      files: [{ path: 'src/pauses.ts', status: 'ok' }],
    });
  });

  it('prints the content of a file once, each line with its number', async ({ expect }) => {
    verifies('OUT-01');
    await using box = await project();
    const run = await box.run(['call', 'codebase', 'read_file', 'path=src/pauses.ts'], ON);
    const lines = PAUSES.trimEnd().split('\n');
    const stdout = lines.map((line, at) => `${at + 1}: ${line}\n`).join('');
    expect(run).toEqual({ code: 0, stdout, stderr: '' });
  });

  it('ranks by words and by meaning from the first question on', async ({ expect }) => {
    await using box = await project();
    expect(await called(box, 'search_by_embedding', 'query=wait after a failure')).toMatchObject({
      results: [{ path: 'src/pauses.ts', symbol: 'pause' }],
      mode: 'hybrid',
      semantic_coverage: 1,
    });
  });

  it('serves the whole project, wherever in it the command is run', async ({ expect }) => {
    await using box = await project();
    const read = await box.run(['read', 'codebase://files', '--json'], ON);
    expect(JSON.stringify(documentOf(read))).toContain('src/pauses.ts');
  });

  it('is examined by doctor like every other server', async ({ expect }) => {
    await using box = await project();
    const run = documentOf(await box.run(['doctor', 'codebase', '--json'], ON)) as {
      readonly works: boolean;
      readonly steps: readonly { readonly step: string }[];
    };
    expect(run.works).toBe(true);
    expect(run.steps.map(({ step }) => step)).toEqual(['configured', 'answer', 'era', 'tools']);
    const get = await box.run(['get', 'codebase'], ON);
    expect(get.stdout).toBe(
      'name        codebase\nstate       idle\ntype        sdk\nreaches     (in this program)\n' +
        'configured  built in (dynamic)\n',
    );
  });

  it('does not count when configured servers are checked', async ({ expect }) => {
    await using box = await sandbox({ gone: { command: '/no/such/program' } });
    expect((await box.run(['tools'], ON)).code).toBe(2);
    expect((await box.run(['list', '--check'], ON)).code).toBe(2);
    expect((await box.run(['resources'], ON)).code).toBe(2);
  });

  it('keeps its name, whatever a file configures', async ({ expect }) => {
    await using box = await project();
    const codebase = { command: '/no/such/program' };
    await box.write('.mcp.json', JSON.stringify({ mcpServers: { codebase } }));
    const run = await box.run(['call', 'codebase', 'search_code', 'query=pause('], ON);
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('src/pauses.ts');
    const list = await box.run(['list'], ON);
    expect(list.stdout).toContain('(in this program)');
    expect(list.stderr).toContain('error: the name "codebase" is reserved');
  });
});

describe.concurrent('plugboard disable codebase', () => {
  verifies('COD-01');
  const state = async (box: Sandbox): Promise<string | undefined> =>
    /codebase +(\w+)/.exec((await box.run(['list'], ON)).stdout)?.[1];

  it('disables it in this project, and enable reverts that', async ({ expect }) => {
    await using box = await project();
    expect(await box.run(['disable', 'codebase'], ON)).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Disabled "codebase" in .plugboard/settings.local.json.\n',
    });
    expect(await state(box)).toBe('disabled');
    const call = await box.run(['call', 'codebase', 'search_code', 'query=x'], ON);
    expect({ code: call.code, stderr: call.stderr }).toEqual({
      code: 1,
      stderr:
        'error: server "codebase" is disabled\n  at:  built in\n  fix: use it again: plugboard enable codebase\n',
    });
    expect((await box.run(['disable', 'codebase'], ON)).stderr).toBe(
      '"codebase" is disabled already.\n',
    );
    expect((await box.run(['enable', 'codebase'], ON)).stderr).toBe(
      'Enabled "codebase" in .plugboard/settings.local.json.\n',
    );
    expect(await state(box)).toBe('idle');
  });

  it('disables it for the user, and no project enables it', async ({ expect }) => {
    await using box = await project();
    await box.write('.plugboard/settings.json', '{ "codebase": { "disabled": false } }');
    const run = await box.run(['disable', 'codebase', '--scope', 'user', '--json'], ON);
    expect(documentOf(run)).toEqual({
      kind: 'disabled',
      name: 'codebase',
      file: userFile(box),
      state: 'disabled',
    });
    expect(await state(box)).toBe('disabled');
    expect((await box.run(['enable', 'codebase'], ON)).stderr).toBe(
      'Enabled "codebase" in ~/.config/plugboard/settings.json.\n',
    );
    expect(await state(box)).toBe('idle');
  });

  it('changes the settings of the project only with -s project', async ({ expect }) => {
    await using box = await project();
    await box.write('.mcp.json', '{ "docs": { "url": "https://docs.example/mcp" } }');
    expect(await box.run(['disable', 'codebase', '-s', 'project'], ON)).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Disabled "codebase" in .plugboard/settings.json.\n',
    });
    expect(await state(box)).toBe('disabled');
    expect((await box.run(['enable', 'codebase'], ON)).stderr).toBe(
      'Note: "codebase" is still disabled, since .plugboard/settings.json:3:3 counts more.\n',
    );
    expect((await box.run(['enable', 'codebase', '-s', 'project'], ON)).code).toBe(0);
    expect(await state(box)).toBe('idle');
  });
});

/** An embedding service that rejects every request, or never answers. */
async function listener(answers: 'refuses' | 'is silent' = 'refuses') {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(`${request.method} ${request.url}`);
    if (answers === 'refuses') response.writeHead(400).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    heard,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('the roots of the built-in server', () => {
  verifies('COD-24', 'COD-25');

  const matchesOf = async (box: Sandbox): Promise<readonly string[]> => {
    const found = (await called(box, 'search_code', 'query=pause')) as {
      readonly files: readonly { readonly path: string }[];
    };
    return found.files.map(({ path }) => path);
  };

  it('are the project and those of the user, and never those of a project', async ({ expect }) => {
    await using box = await project();
    await box.write('../library/pauses.ts', PAUSES);
    const roots = [{ name: 'library', path: `${box.project}/../library` }];
    await box.write('.plugboard/settings.json', JSON.stringify({ codebase: { roots } }));
    expect(await matchesOf(box)).toEqual(['src/pauses.ts']);
    await box.write(USER_SETTINGS, JSON.stringify({ codebase: { roots } }));
    const paths = await matchesOf(box);
    expect(paths.toSorted()).toEqual([
      'library/pauses.ts',
      expect.stringMatching(/.\/src\/pauses/),
    ]);
  });

  it('are not fetched from a host that only a project allows', async ({ expect }) => {
    await using away = await listener();
    await using box = await project();
    const host = new URL(away.url).host;
    const allowed = JSON.stringify({ codebase: { remotes: [host] } });
    await box.write('.plugboard/settings.json', allowed);
    const roots = [`${away.url}/code.git`];
    await box.write(USER_SETTINGS, JSON.stringify({ codebase: { roots } }));
    const ask = ['call', 'codebase', 'search_code', 'query=pause', '--trust-project'];
    const refused = await box.run(ask, ON);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain(`${host} is not allowed`);
    expect(away.heard).toEqual([]);
    await box.write(USER_SETTINGS, JSON.stringify({ codebase: { roots, remotes: [host] } }));
    expect((await box.run(ask, ON)).stdout).toContain('could not be fetched');
    expect(away.heard.length).toBeGreaterThan(0);
  });
});

describe('the embedder and the store of the built-in server', () => {
  verifies('COD-04');

  /** Records requests that would leave the machine, and rejects them. */
  const ask = (box: Sandbox, ...more: readonly string[]): Promise<Run> =>
    box.run(['call', 'codebase', 'search_by_embedding', 'query=pause', ...more], ON);

  it('are chosen by the user', async ({ expect }) => {
    await using away = await listener();
    await using box = await project();
    const embedder = { kind: 'openai', url: away.url, model: 'm' };
    await box.write(USER_SETTINGS, JSON.stringify({ codebase: { embedder } }));
    expect((await ask(box)).code).toBe(0);
    expect(new Set(away.heard)).toEqual(new Set(['POST /v1/embeddings']));
  });

  it.for([['.plugboard/settings.json'], ['.plugboard/settings.local.json'], ['.mcp.json']])(
    'are never chosen by %s, even in a trusted project',
    async ([file = ''], { expect }) => {
      await using away = await listener();
      await using box = await project();
      const embedder = { kind: 'openai', url: away.url, model: 'm' };
      const store = { kind: 'qdrant', url: away.url };
      await box.write(file, JSON.stringify({ mcpServers: {}, codebase: { embedder, store } }));
      const run = await ask(box, '--trust-project');
      expect(run.code).toBe(0);
      expect(run.stdout).toContain('src/pauses.ts');
      expect(away.heard).toEqual([]);
      expect(run.stderr).toContain(
        'warning: what "codebase" says about an embedder, a store, language servers, roots or remotes has no effect in a file that may have come with a project\n',
      );
    },
  );

  it('are reported if the setting is invalid', async ({ expect }) => {
    await using box = await project();
    const embedder = { kind: 'openai', model: 'm' };
    await box.write(USER_SETTINGS, JSON.stringify({ codebase: { embedder } }));
    const run = await ask(box);
    expect(run.code).not.toBe(0);
    expect(run.stderr).toContain('embedder.url must be an address');
  });
});

describe('the built command', () => {
  it('answers a question about code from a project that it has never seen', async ({ expect }) => {
    await using box = await project();
    const words = ['call', 'codebase', 'search_by_embedding', 'query=pause'];
    const { code, stdout } = await box.runProcess(words, ON);
    expect([code, stdout]).toEqual([0, expect.stringContaining('src/pauses.ts')]);
  });

  it('fails if its process ends before the command is done', async ({ expect }) => {
    await using box = await project();
    const stuck = await box.write(
      '../stuck.cjs',
      `const files = require('node:fs/promises');
for (const name of Object.keys(files)) files[name] = () => new Promise(() => {});`,
    );
    const run = await box.runProcess(['list'], { env: { NODE_OPTIONS: `--require=${stuck}` } });
    expect(run).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: the command ended before it was done, which is a fault of Plugboard\n',
    });
  });
});

describe('a command that is interrupted while the built-in server indexes', () => {
  verifies('COD-06');

  it('ends at once, with all processes that it started', async ({ expect }) => {
    // Without its vectors the index is never complete, however fast the machine is.
    await using away = await listener('is silent');
    await using box = await project();
    const embedder = { kind: 'openai', url: away.url, model: 'm' };
    await box.write(USER_SETTINGS, JSON.stringify({ codebase: { embedder } }));
    const body = PAUSES.repeat(40);
    for (let index = 0; index < 1500; index += 1) await box.write(`many/f${index}.ts`, body);
    const child = box.start(['call', 'codebase', 'search_by_embedding', 'query=pause'], ON);
    const ended = finished(child);
    await waitUntil(() => away.heard.length > 0, { describe: 'vectors to be asked for' });
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    expect(allProcesses().filter(({ command }) => command.includes(box.project))).toEqual([]);
  });
});
