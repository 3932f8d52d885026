// Sources that a host follows beside settings files: files of variables, plugins, approvals.

import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Scope } from '@plugboard/base';
import {
  isAlive,
  scriptedServer,
  type TempFolder,
  tempFolder,
  verifies,
  waitUntil,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { approve, readConfiguration } from '../../src/admission/index.ts';
import { allowAll, createHost, type Host } from '../../src/host/index.ts';
import type { HostEnvironment } from '../../src/platform/index.ts';
import { testEnvironment } from '../config/test-environment.ts';

const USER_FILE = 'home/.config/plugboard/settings.json';
const PLUGINS = 'home/.config/plugboard/plugins';

interface Place {
  readonly folder: TempFolder;
  readonly environment: HostEnvironment;
  readonly open: () => Promise<Host>;
}

async function place(scope: Scope): Promise<Place> {
  const folder = scope.use(await tempFolder());
  await folder.mkdir('project/.git');
  const env = { PATH: process.env['PATH'] ?? '' };
  const environment = testEnvironment(folder.path, { env });
  const open = async () => scope.use(await createHost({ environment, approve: allowAll }));
  return { folder, environment, open };
}

const servers = (entries: object) => JSON.stringify({ mcpServers: entries });

/** A variable of the server's own process. */
async function variable(host: Host, server: string, name: string): Promise<unknown> {
  const outcome = await host.call({ server, tool: 'env' }, {});
  const part = outcome.kind === 'result' ? outcome.parts[0] : undefined;
  if (part?.kind === 'text') return (JSON.parse(part.text) as Record<string, unknown>)[name];
  return outcome.kind === 'not-connected' ? outcome.reason.kind : outcome.kind;
}

async function pidOf(host: Host, server: string): Promise<number> {
  const outcome = await host.call({ server, tool: 'pids' }, {});
  const part = outcome.kind === 'result' ? outcome.parts[0] : undefined;
  if (part?.kind !== 'structured') throw new Error(`no pids: ${JSON.stringify(outcome)}`);
  return (part.value as { pid: number }).pid;
}

async function approveAll(environment: HostEnvironment): Promise<void> {
  const { servers: found } = await readConfiguration({ environment });
  for (const { admission } of found) {
    if (admission.kind === 'untrusted') await approve(environment, admission.subject);
  }
}

function states(host: Host): readonly (readonly [string, string])[] {
  return host.servers.map(({ name, state }) => [name, state.kind]);
}

async function stateIs(host: Host, expected: readonly (readonly [string, string])[]) {
  await waitUntil(() => JSON.stringify(states(host)) === JSON.stringify(expected), {
    describe: () => `${JSON.stringify(expected)}, not ${JSON.stringify(states(host))}`,
  });
}

describe('a configuration that the program has already read', () => {
  verifies('CFG-12');

  async function readThenEdited(scope: Scope) {
    const { folder, environment } = await place(scope);
    await folder.write(USER_FILE, servers({ first: scriptedServer() }));
    const configuration = await readConfiguration({ environment });
    await folder.write(USER_FILE, servers({ second: scriptedServer() }));
    return { environment, configuration };
  }

  it('is what the host starts with: files are not read again', async () => {
    await using scope = new Scope();
    const read = await readThenEdited(scope);
    const host = scope.use(await createHost({ ...read, watch: 'none' }));
    expect(states(host)).toEqual([['first', 'idle']]);
  });

  it('is replaced by later edits, if edits are followed', async () => {
    await using scope = new Scope();
    const read = await readThenEdited(scope);
    const host = scope.use(await createHost(read));
    await stateIs(host, [['second', 'idle']]);
    expect(host.diagnostics).toEqual([]);
  });
});

describe('a variable file', () => {
  verifies('CFG-12', 'CFG-15');

  it('is followed when it changes, disappears and comes back', async () => {
    await using scope = new Scope();
    const { folder, open } = await place(scope);
    await folder.write('home/.env', 'WORD=one');
    await folder.write(USER_FILE, servers({ s: { ...scriptedServer(), envFile: '.env' } }));
    const host = await open();
    expect(await variable(host, 's', 'WORD')).toBe('one');
    const first = await pidOf(host, 's');

    await folder.write('home/.env', 'WORD=two');
    await waitUntil(() => !isAlive(first), { describe: 'the old process to end' });
    expect(await variable(host, 's', 'WORD')).toBe('two');

    await rm(join(folder.path, 'home/.env'));
    await stateIs(host, [['s', 'failed']]);
    expect(await variable(host, 's', 'WORD')).toBe('unresolved');

    await folder.write('home/.env', 'WORD=three');
    await waitUntil(async () => (await variable(host, 's', 'WORD')) === 'three', {
      describe: 'the new file to be read',
    });
  });

  it('of a repository needs trust again when it changes', async () => {
    verifies('CFG-11');
    await using scope = new Scope();
    const { folder, open, environment } = await place(scope);
    await folder.write('project/.env', 'WORD=one');
    await folder.write(
      'project/.mcp.json',
      servers({ s: { ...scriptedServer(), envFile: '.env' } }),
    );
    await approveAll(environment);
    const host = await open();
    expect(await variable(host, 's', 'WORD')).toBe('one');
    const pid = await pidOf(host, 's');

    await folder.write('project/.env', 'WORD=one\nNODE_OPTIONS=--require=./evil.cjs');
    await stateIs(host, [['s', 'untrusted']]);
    await waitUntil(() => !isAlive(pid), { describe: 'the process to end' });
    expect(await variable(host, 's', 'WORD')).toBe('untrusted');
    expect(host.servers[0]?.state).toMatchObject({
      kind: 'untrusted',
      standing: {
        kind: 'changed',
        changes: [{ kind: 'added', field: 'envFileValues.NODE_OPTIONS' }],
      },
    });

    await folder.write('project/.env', 'WORD=two');
    await waitUntil(
      async () => {
        await approveAll(environment);
        return host.servers[0]?.state.kind !== 'untrusted';
      },
      { describe: 'the approval to count' },
    );
    expect(await variable(host, 's', 'WORD')).toBe('two');
  });
});

describe('a plugin', () => {
  verifies('CFG-12', 'CFG-09');

  it('is followed when it is installed, approved, changed and removed', async () => {
    await using scope = new Scope();
    const { folder, open, environment } = await place(scope);
    const host = await open();
    expect(states(host)).toEqual([]);

    // As an installation does: all at once, under its name.
    const { command, args, env } = scriptedServer();
    await folder.write('draft/plugin.json', '{ "name": "tools" }');
    const entry = { command, args, env: { ...env, WORD: '${PLUGIN_ROOT}' } };
    await folder.write('draft/.mcp.json', servers({ s: entry }));
    await folder.mkdir(PLUGINS);
    const root = join(folder.path, PLUGINS, 'tools');
    await rename(join(folder.path, 'draft'), root);
    await stateIs(host, [['plugin:tools:s', 'untrusted']]);

    await approveAll(environment);
    await stateIs(host, [['plugin:tools:s', 'idle']]);
    expect(await variable(host, 'plugin:tools:s', 'WORD')).toBe(root);

    await folder.write(`${PLUGINS}/tools/.mcp.json`, servers({ t: entry }));
    await stateIs(host, [['plugin:tools:t', 'untrusted']]);

    await rm(root, { recursive: true });
    await stateIs(host, []);
  });

  it("of a project is followed as well, and so are the user's answers for a bundle", async () => {
    await using scope = new Scope();
    const { folder, open } = await place(scope);
    const manifest = {
      manifest_version: '0.3',
      name: 'files',
      version: '1.0.0',
      description: 'd',
      author: { name: 'a' },
      server: {
        type: 'node',
        entry_point: 'x',
        mcp_config: { command: 'node', args: ['${user_config.word}'] },
      },
      user_config: { word: { type: 'string', title: 'W', description: '', required: true } },
    };
    await folder.write(`${PLUGINS}/files/manifest.json`, JSON.stringify(manifest));
    const host = await open();
    expect(states(host)).toEqual([]);
    await folder.write(`${PLUGINS}/files.values.json`, '{ "values": { "word": "w" } }');
    await stateIs(host, [['plugin:files:files', 'untrusted']]);

    const project = 'project/.plugboard/plugins/p';
    await folder.write(`${project}/.mcp.json`, servers({ s: { command: 's' } }));
    await folder.write(`${project}/.claude-plugin/plugin.json`, '{ "name": "p" }');
    await stateIs(host, [
      ['plugin:files:files', 'untrusted'],
      ['plugin:p:s', 'untrusted'],
    ]);
  });
});
