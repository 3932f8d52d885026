import { never, Scope } from '@plugboard/base';
import { atSomePace, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { CallOptions } from '../../src/protocol/index.ts';
import { cells, openOrThrow, scriptedCells } from './cells.ts';

const patient: CallOptions = { signal: never, idleMs: 60_000, hardMs: 60_000 };
const listing = { signal: never, timeoutMs: 60_000 };

describe.each(cells)('a session over $name', (cell) => {
  it('reports its era and server, lists tools, calls one and ends', async () => {
    await using scope = new Scope();
    const session = await openOrThrow(await cell.launch({}, scope), scope);
    expect(session.era).toBe(cell.era);
    expect(session.protocolVersion).toBe(cell.era === 'modern' ? '2026-07-28' : '2025-11-25');
    expect(session.server?.name).toEqual(expect.any(String));

    const page = await session.listTools(undefined, listing);
    const names = page.ok ? page.value.items.map(({ name }) => name) : page.error;
    expect(names).toEqual(expect.arrayContaining(['echo', 'add']));

    const echoed = await session.callTool({ name: 'echo', arguments: { message: 'hi' } }, patient);
    expect(echoed).toEqual({
      ok: true,
      value: { content: [{ type: 'text', text: 'hi' }], isError: false },
    });

    await session.close();
    await session.close();
    expect(await session.closed).toEqual({ kind: 'closed' });
    const late = await session.callTool({ name: 'echo', arguments: {} }, patient);
    expect(late.ok).toBe(false);
  });

  it('delivers structured content beside its text', async () => {
    await using scope = new Scope();
    const session = await openOrThrow(await cell.launch({}, scope), scope);
    const added = await session.callTool({ name: 'add', arguments: { a: 2, b: 3 } }, patient);
    expect(added).toMatchObject({ ok: true, value: { structuredContent: { sum: 5 } } });
  });

  it('gives each of many concurrent calls its own answer', async () => {
    await using scope = new Scope();
    const session = await openOrThrow(await cell.launch({}, scope), scope);
    const messages = Array.from({ length: 50 }, (_, index) => `message ${index}`);
    const answers = await Promise.all(
      messages.map((message) =>
        session.callTool({ name: 'echo', arguments: { message } }, patient),
      ),
    );
    expect(answers).toEqual(
      messages.map((text) => ({
        ok: true,
        value: { content: [{ type: 'text', text }], isError: false },
      })),
    );
  });
});

describe.each(scriptedCells)('a failing call over $name', (cell) => {
  it('distinguishes a failing tool from a failing request', async () => {
    await using scope = new Scope();
    const session = await openOrThrow(await cell.launch({}, scope), scope);
    expect(await session.callTool({ name: 'error', arguments: {} }, patient)).toEqual({
      ok: true,
      value: { content: [{ type: 'text', text: 'the tool failed' }], isError: true },
    });
    expect(await session.callTool({ name: 'rpc-error', arguments: {} }, patient)).toEqual({
      ok: false,
      error: { kind: 'rpc', code: -32_603, message: 'the request failed' },
    });
  });

  it('can be aborted, and the session continues', async () => {
    verifies('CAL-04');
    await using scope = new Scope();
    const session = await openOrThrow(await cell.launch({}, scope), scope);
    const abort = new AbortController();
    const call = session.callTool(
      { name: 'sleep', arguments: { ms: 60_000, steps: 600 } },
      { ...patient, signal: abort.signal, onProgress: () => abort.abort() },
    );
    expect(await call).toEqual({ ok: false, error: { kind: 'cancelled' } });
    const next = await session.callTool({ name: 'echo', arguments: { message: 'on' } }, patient);
    expect(next.ok).toBe(true);
  });

  it('times out without a sign of life, and the session continues', async () => {
    verifies('CON-04');
    await using scope = new Scope();
    const session = await openOrThrow(await cell.launch({}, scope), scope);
    const silent = await session.callTool(
      { name: 'never', arguments: {} },
      { ...patient, idleMs: 50 },
    );
    expect(silent).toEqual({ ok: false, error: { kind: 'timeout', ms: 50 } });
    const next = await session.callTool({ name: 'echo', arguments: { message: 'on' } }, patient);
    expect(next.ok).toBe(true);
  });

  it('may exceed its idle deadline while it reports progress', async () => {
    verifies('CON-04');
    await using scope = new Scope();
    const session = await openOrThrow(await cell.launch({}, scope), scope);
    await atSomePace(async (unitMs) => {
      const seen: number[] = [];
      const ms = 8 * unitMs;
      const slept = await session.callTool(
        { name: 'sleep', arguments: { ms, steps: 24 } },
        { ...patient, idleMs: 4 * unitMs, onProgress: ({ progress }) => seen.push(progress) },
      );
      expect(slept).toMatchObject({ ok: true, value: { content: [{ text: `slept ${ms} ms` }] } });
      expect(seen.length).toBeGreaterThan(5);
    });
  });

  it('with an invalid result is refused, and the session continues', async () => {
    await using scope = new Scope();
    const tools = [{ name: 'odd', result: { content: [{ type: 'hologram' }] } }];
    const session = await openOrThrow(await cell.launch({ tools }, scope), scope);
    const odd = await session.callTool({ name: 'odd', arguments: {} }, patient);
    expect(odd).toMatchObject({ ok: false, error: { kind: 'invalid-result' } });
    const next = await session.callTool({ name: 'echo', arguments: { message: 'on' } }, patient);
    expect(next.ok).toBe(true);
  });
});
