import { err, never, ok, Scope } from '@plugboard/base';
import { scriptedServer, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { listAll, type ListLimits, type Pages } from '../../src/catalog/list-all.ts';
import type { Page, Session, ToolDefinition } from '../../src/protocol/index.ts';
import { openOrThrow, stdioLaunch } from '../protocol/cells.ts';

const options = { signal: never, timeoutMs: 60_000 };
const small: ListLimits = { maxPages: 10, maxItems: 50, maxSize: 100_000 };

function tool(name: string, description = ''): ToolDefinition {
  return { name, description, inputSchema: { type: 'object' } };
}

function toolsOf(session: Session): Pages<ToolDefinition> {
  return { nameOf: ({ name }) => name, page: (cursor) => session.listTools(cursor, options) };
}

function paged(
  pageAt: (cursor: string | undefined) => Pick<Page<ToolDefinition>, 'items' | 'nextCursor'>,
): Pages<ToolDefinition> {
  return {
    nameOf: ({ name }) => name,
    page: (cursor) =>
      Promise.resolve(ok({ ...pageAt(cursor), rejected: [], freshness: undefined })),
  };
}

describe('listing all items of a server', () => {
  it('follows the pages of a real server to the end', async () => {
    verifies('CAT-03');
    await using scope = new Scope();
    const entry = scriptedServer({ pages: { kind: 'normal', size: 3 } });
    const session = await openOrThrow(stdioLaunch(entry), scope);
    const listing = await listAll(toolsOf(session));
    expect(listing.ok && listing.value.items).toHaveLength(14);
    expect(listing.ok && listing.value.cut).toBeUndefined();
  });

  it.each([
    ['endless', 'too-many-pages'],
    ['repeated-cursor', 'repeated-cursor'],
  ] as const)('stops at a server with %s pages and keeps the tools so far', async (kind, cut) => {
    verifies('CAT-03');
    await using scope = new Scope();
    const session = await openOrThrow(stdioLaunch(scriptedServer({ pages: { kind } })), scope);
    const listing = await listAll(toolsOf(session), small);
    expect(listing).toMatchObject({ ok: true, value: { cut } });
    expect(listing.ok && listing.value.items.length).toBeGreaterThanOrEqual(10);
  });

  it('stops at too many tools', async () => {
    const pages = paged((cursor = '0') => ({
      items: Array.from({ length: 20 }, (_, index) => tool(`t${cursor}-${index}`)),
      nextCursor: String(Number(cursor) + 1),
    }));
    const listing = await listAll(pages, small);
    expect(listing).toMatchObject({ ok: true, value: { cut: 'too-many-items' } });
    expect(listing.ok && listing.value.items).toHaveLength(50);
  });

  it('stops at definitions that are too large in sum', async () => {
    const pages = paged(() => ({
      items: [tool('a', 'x'.repeat(60_000)), tool('b', 'x'.repeat(60_000)), tool('c')],
      nextCursor: undefined,
    }));
    const listing = await listAll(pages, small);
    expect(listing).toMatchObject({
      ok: true,
      value: { cut: 'too-large', items: [{ name: 'a' }] },
    });
  });

  it('treats an empty cursor as a cursor, and keeps a name only once', async () => {
    const pages = paged((cursor) => ({
      items: [tool('a')],
      nextCursor: cursor === undefined ? '' : undefined,
    }));
    expect(await listAll(pages, small)).toEqual(
      ok({
        items: [tool('a')],
        rejected: [{ name: 'a', reason: 'is listed twice' }],
        cut: undefined,
        freshness: undefined,
      }),
    );
  });

  it('fails when a page fails', async () => {
    const page = () => Promise.resolve(err({ kind: 'closed' } as const));
    expect(await listAll({ nameOf: String, page })).toEqual(err({ kind: 'closed' }));
  });
});
