import { err, never, ok, Scope } from '@plugboard/base';
import { scriptedServer, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { listAllTools } from '../../src/catalog/list-all-tools.ts';
import type { ListLimits } from '../../src/catalog/list-all.ts';
import type { Session, ToolPage } from '../../src/protocol/index.ts';
import { openOrThrow, stdioLaunch } from '../protocol/cells.ts';

const options = { signal: never, timeoutMs: 60_000 };
const small: ListLimits = { maxPages: 10, maxItems: 50, maxSize: 100_000 };

function tool(name: string, description = ''): ToolPage['tools'][number] {
  return { name, description, inputSchema: { type: 'object' } };
}

function paged(pageAt: (cursor: string | undefined) => ToolPage): Pick<Session, 'listTools'> {
  return { listTools: (cursor) => Promise.resolve(ok(pageAt(cursor))) };
}

describe('listing all tools', () => {
  it('follows the pages of a real server to the end', async () => {
    verifies('CAT-03');
    await using scope = new Scope();
    const entry = scriptedServer({ pages: { kind: 'normal', size: 3 } });
    const session = await openOrThrow(stdioLaunch(entry), scope);
    const listing = await listAllTools(session, options);
    expect(listing.ok && listing.value.tools).toHaveLength(14);
    expect(listing.ok && listing.value.cut).toBeUndefined();
  });

  it.each([
    ['endless', 'too-many-pages'],
    ['repeated-cursor', 'repeated-cursor'],
  ] as const)('stops at a server with %s pages and keeps the tools so far', async (kind, cut) => {
    verifies('CAT-03');
    await using scope = new Scope();
    const session = await openOrThrow(stdioLaunch(scriptedServer({ pages: { kind } })), scope);
    const listing = await listAllTools(session, options, small);
    expect(listing).toMatchObject({ ok: true, value: { cut } });
    expect(listing.ok && listing.value.tools.length).toBeGreaterThanOrEqual(10);
  });

  it('stops at too many tools', async () => {
    const session = paged((cursor = '0') => ({
      tools: Array.from({ length: 20 }, (_, index) => tool(`t${cursor}-${index}`)),
      nextCursor: String(Number(cursor) + 1),
      rejected: [],
    }));
    const listing = await listAllTools(session, options, small);
    expect(listing).toMatchObject({ ok: true, value: { cut: 'too-many-items' } });
    expect(listing.ok && listing.value.tools).toHaveLength(50);
  });

  it('stops at definitions that are too large in sum', async () => {
    const session = paged(() => ({
      tools: [tool('a', 'x'.repeat(60_000)), tool('b', 'x'.repeat(60_000)), tool('c')],
      nextCursor: undefined,
      rejected: [],
    }));
    const listing = await listAllTools(session, options, small);
    expect(listing).toMatchObject({
      ok: true,
      value: { cut: 'too-large', tools: [{ name: 'a' }] },
    });
  });

  it('treats an empty cursor as a cursor, and keeps a name only once', async () => {
    const session = paged((cursor) => ({
      tools: [tool('a')],
      nextCursor: cursor === undefined ? '' : undefined,
      rejected: [],
    }));
    expect(await listAllTools(session, options, small)).toEqual(
      ok({
        tools: [tool('a')],
        rejected: [{ name: 'a', reason: 'is listed twice' }],
        cut: undefined,
        freshness: undefined,
      }),
    );
  });

  it('fails when a page fails', async () => {
    const session = { listTools: () => Promise.resolve(err({ kind: 'closed' } as const)) };
    expect(await listAllTools(session, options)).toEqual(err({ kind: 'closed' }));
  });
});
