// Reading resources under the permissions of a server, with a real server.

import { Scope } from '@plugboard/base';
import { scriptedServer, startScriptedHttp, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { Host, ReadRequest } from '../../src/host/index.ts';
import { ruledHost } from './ruled-host.ts';

const memos = scriptedServer({
  library: {
    resources: ['memo://one', 'memo://two', 'secret://three'].map((uri) => ({
      uri,
      name: uri,
      text: `text of ${uri}`,
    })),
  },
});

function withPermissions(permissions: object): { readonly user: object } {
  return { user: { mcpServers: { memos: { ...memos, permissions } } } };
}

async function kindOf(host: Host, uri: string): Promise<string> {
  return (await host.resources.read({ server: 'memos', uri })).kind;
}

describe('the permission to read a resource', () => {
  verifies('POL-02');

  it('is given only if the entry allows the resource', async () => {
    await using scope = new Scope();
    const { host } = await ruledHost(scope, withPermissions({ allowedResources: ['memo://*'] }));
    expect(await kindOf(host, 'memo://one')).toBe('result');
    expect(await host.resources.read({ server: 'memos', uri: 'secret://three' })).toMatchObject({
      kind: 'denied',
      decision: { kind: 'deny', because: { kind: 'rule', rule: { origin: { line: 2 } } } },
    });
    const watched = await host.resources.subscribe(
      { server: 'memos', uri: 'secret://three' },
      () => {},
    );
    expect(watched.kind).toBe('denied');
  });

  it('is denied if the entry denies reading, or demands approval and no person is there', async () => {
    await using scope = new Scope();
    const denying = await ruledHost(scope, withPermissions({ readPermission: 'deny' }));
    expect(await kindOf(denying.host, 'memo://one')).toBe('denied');
    const asking = await ruledHost(scope, withPermissions({ readPermission: 'ask' }));
    expect(await asking.host.resources.read({ server: 'memos', uri: 'memo://one' })).toMatchObject({
      kind: 'denied',
      reason: 'no `approveRead` was given to createHost',
    });
  });

  it('is asked for, and lasts as long as the answer says', async () => {
    await using scope = new Scope();
    const asked: string[] = [];
    const approveRead = ({ server, uri }: ReadRequest) => {
      asked.push(`${server} ${uri}`);
      return uri.endsWith('one')
        ? ({ kind: 'allow', remember: 'session' } as const)
        : ({ kind: 'deny', reason: 'not that' } as const);
    };
    const files = withPermissions({ readPermission: 'ask' });
    const { host } = await ruledHost(scope, files, { approveRead });
    expect(await kindOf(host, 'memo://one')).toBe('result');
    expect(await kindOf(host, 'memo://one')).toBe('result');
    expect(await host.resources.read({ server: 'memos', uri: 'memo://two' })).toMatchObject({
      kind: 'denied',
      reason: 'not that',
    });
    expect(asked).toEqual(['memos memo://one', 'memos memo://two']);
  });

  it('and that of tools of a server follow the same entry', async () => {
    await using scope = new Scope();
    const permissions = {
      allowedTools: ['e*', 'cwd'],
      deniedTools: ['cwd'],
      readPermission: 'allow',
      writePermission: 'allow',
    };
    const s = { ...scriptedServer({ builtIns: ['echo', 'cwd', 'add'] }), permissions };
    const { host } = await ruledHost(scope, { user: { mcpServers: { s } } });
    const kinds = await Promise.all([
      host.call({ server: 's', tool: 'echo' }, { message: 'x' }),
      host.call({ server: 's', tool: 'cwd' }, {}),
      host.call({ server: 's', tool: 'add' }, { a: 1, b: 2 }),
    ]);
    expect(kinds.map(({ kind }) => kind)).toEqual(['result', 'denied', 'denied']);
  });
});

describe('a long resource', () => {
  it('is cut for a model like a long result', async () => {
    await using scope = new Scope();
    const text = 'line of text\n'.repeat(20_000);
    const library = { resources: [{ uri: 'memo://long', name: 'l', text }] };
    const { url } = scope.use(await startScriptedHttp({ library }));
    const long = { type: 'http', url };
    const { host } = await ruledHost(scope, { user: { mcpServers: { long } } });
    const read = await host.resources.read({ server: 'long', uri: 'memo://long' });
    if (read.kind !== 'result') throw new Error(read.kind);
    expect(JSON.stringify(read.parts).length).toBeLessThan(110_000);
    expect(read.parts.at(-1)).toMatchObject({ kind: 'note' });
  });
});
