// Resources, prompts and completions over every transport, in both eras.

import { never, Scope } from '@plugboard/base';
import { type Library, verifies, waitUntil } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { openOrThrow, scriptedCells } from './cells.ts';

const options = { signal: never, timeoutMs: 60_000 };
const patient = { signal: never, idleMs: 60_000, hardMs: 60_000 };

const library: Library = {
  resources: [
    { uri: 'memo://one', name: 'One', mimeType: 'text/plain', text: 'the first' },
    { uri: 'memo://bytes', name: 'Bytes', blob: 'AAEC' },
  ],
  templates: [{ uriTemplate: 'memo://{id}', name: 'Memo', description: 'Any memo' }],
  prompts: [
    {
      name: 'greet',
      description: 'Greets',
      arguments: [{ name: 'who', required: true }, { name: 'how' }],
      messages: [{ role: 'user', content: { type: 'text', text: 'Greet them' } }],
    },
  ],
  completions: { who: ['Ada', 'Alan', 'Grace'] },
};

describe.each(scriptedCells)('the resources and prompts of a server, over $name', (cell) => {
  verifies('CAT-06');
  const freshness = cell.era === 'modern' ? { ttlMs: 0, scope: 'private' } : undefined;

  it('have no templates if the server does not know the method', async () => {
    await using scope = new Scope();
    const without: Library = { ...library, templates: 'unheard-of' };
    const session = await openOrThrow(await cell.launch({ library: without }, scope), scope);
    expect(await session.resources.templates(undefined, options)).toEqual({
      ok: true,
      value: { items: [], nextCursor: undefined, rejected: [], freshness: undefined },
    });
  });

  it('are listed, read, filled in and completed', async () => {
    await using scope = new Scope();
    const session = await openOrThrow(await cell.launch({ library }, scope), scope);
    const { resources, prompts } = session;
    expect(await resources.list(undefined, options)).toEqual({
      ok: true,
      value: {
        items: [
          { uri: 'memo://one', name: 'One', mimeType: 'text/plain' },
          { uri: 'memo://bytes', name: 'Bytes' },
        ],
        nextCursor: undefined,
        rejected: [],
        freshness,
      },
    });
    expect(await resources.templates(undefined, options)).toMatchObject({
      ok: true,
      value: {
        items: [{ uriTemplate: 'memo://{id}', name: 'Memo', description: 'Any memo' }],
      },
    });
    expect(await resources.read('memo://bytes', options)).toEqual({
      ok: true,
      value: { contents: [{ uri: 'memo://bytes', blob: 'AAEC' }], freshness },
    });
    expect(await prompts.list(undefined, options)).toMatchObject({
      ok: true,
      value: {
        items: [
          {
            name: 'greet',
            description: 'Greets',
            arguments: [
              { name: 'who', required: true },
              { name: 'how', required: false },
            ],
          },
        ],
      },
    });
    expect(await prompts.get({ name: 'greet', arguments: { who: 'Ada' } }, options)).toEqual({
      ok: true,
      value: { messages: [{ role: 'user', content: { type: 'text', text: 'Greet them' } }] },
    });
    const wanted = { of: { kind: 'prompt', name: 'greet' }, argument: 'who', others: {} } as const;
    expect(await session.complete({ ...wanted, typed: 'A' }, options)).toEqual({
      ok: true,
      value: { values: ['Ada', 'Alan'], hasMore: false },
    });
  });

  it('are reported to watchers when they change', async () => {
    verifies('INB-06');
    await using scope = new Scope();
    const session = await openOrThrow(await cell.launch({ library }, scope), scope);
    const heard: string[] = [];
    const watch = (uri: string) => session.resources.watch(uri, () => heard.push(uri), options);
    const touch = (args: Record<string, string | number | boolean>) =>
      session.callTool({ name: 'touch', arguments: args }, patient);
    const one = watch('memo://one');
    const two = watch('memo://two');
    expect([await one.begun, await two.begun]).toEqual([
      { ok: true, value: undefined },
      { ok: true, value: undefined },
    ]);
    await touch({ uri: 'memo://one' });
    await waitUntil(() => heard.includes('memo://one'), { describe: 'word of a change' });
    // An unrequested resource, and one below a requested one.
    await touch({ uri: 'memo://three', anyway: true });
    await touch({ uri: 'memo://two/page/4', anyway: true });
    await waitUntil(() => heard.includes('memo://two'), { describe: 'word of a change' });
    expect([...new Set(heard)]).toEqual(['memo://one', 'memo://two']);
    one[Symbol.dispose]();
    heard.length = 0;
    await touch({ uri: 'memo://one', anyway: true });
    await touch({ uri: 'memo://two' });
    await waitUntil(() => heard.length > 0, { describe: 'word of a change' });
    // A modern server may report the change twice, because a new stream is opened before the old one is closed.
    expect([...new Set(heard)]).toEqual(['memo://two']);
  });

  it('are empty and not requested if the server declares none', async () => {
    await using scope = new Scope();
    const session = await openOrThrow(await cell.launch({ builtIns: ['echo'] }, scope), scope);
    expect(session.features).toEqual({
      resources: false,
      subscriptions: false,
      prompts: false,
      completions: false,
      skills: false,
      announces: new Set(),
    });
    const empty = { items: [], nextCursor: undefined, rejected: [], freshness: undefined };
    expect(
      await Promise.all([
        session.resources.list(undefined, options),
        session.resources.templates(undefined, options),
        session.prompts.list(undefined, options),
        session.skills.list(undefined, options),
      ]),
    ).toEqual(Array.from({ length: 4 }, () => ({ ok: true, value: empty })));
  });
});

describe.each(scriptedCells.filter(({ era }) => era === 'legacy'))(
  'the declared capabilities of a server, over $name',
  (cell) => {
    it('yield an empty list if it does not know the method', async () => {
      await using scope = new Scope();
      const capabilities = { tools: {}, resources: {}, prompts: {} };
      const session = await openOrThrow(await cell.launch({ capabilities }, scope), scope);
      const nothing = { items: [], nextCursor: undefined, rejected: [], freshness: undefined };
      expect(await session.resources.list(undefined, options)).toEqual({
        ok: true,
        value: nothing,
      });
      expect(await session.resources.templates(undefined, options)).toEqual({
        ok: true,
        value: nothing,
      });
      expect(await session.prompts.list(undefined, options)).toEqual({ ok: true, value: nothing });
    });
  },
);
