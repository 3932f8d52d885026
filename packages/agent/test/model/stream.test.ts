// The answers of every provider, from a scripted server that speaks its format.

import { startScriptedModel, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { allOf, asking, CELLS, lastOf, modelAt, SEARCH } from './cells.ts';

describe.each(CELLS)('a model of $name', (cell) => {
  it('streams text, and ends with the complete message and its usage', async () => {
    verifies('AGT-01');
    await using server = await startScriptedModel({
      turns: [
        {
          kind: 'answer',
          steps: [
            { kind: 'text', text: 'Good ' },
            { kind: 'text', text: 'day.' },
          ],
          usage: { input: 100, output: 7, cacheRead: 60 },
        },
      ],
    });
    const events = await allOf(modelAt(cell, server), asking('hello'));
    expect(events).toEqual([
      { kind: 'text', text: 'Good ' },
      { kind: 'text', text: 'day.' },
      {
        kind: 'finished',
        reason: 'stop',
        message: { kind: 'assistant', parts: [{ kind: 'text', text: 'Good day.' }] },
        usage: { inputTokens: 100, outputTokens: 7, cacheReadTokens: 60, cacheWriteTokens: 0 },
      },
    ]);
    expect(server.requests.map(({ wire, model }) => ({ wire, model }))).toEqual([
      { wire: cell.wire, model: cell.name.split('/')[1] },
    ]);
    expect(server.requests[0]?.text).toContain('Be brief.');
    expect(server.requests[0]?.text).toContain('hello');
  });

  it('announces calls when they start and emits them when complete, several in one answer', async () => {
    await using server = await startScriptedModel({
      turns: [
        {
          kind: 'answer',
          steps: [
            { kind: 'text', text: 'Looking.' },
            { kind: 'call', id: 'a', tool: 'search', arguments: { query: 'one' } },
            { kind: 'call', id: 'b', tool: 'search', arguments: { query: 'two' } },
          ],
        },
      ],
    });
    const events = await allOf(modelAt(cell, server), asking('find', [SEARCH]));
    const calls = events.flatMap((event) => (event.kind === 'call' ? [event.call] : []));
    expect(calls.map(({ id, tool, arguments: given }) => ({ id, tool, given }))).toEqual([
      { id: 'a', tool: 'search', given: { query: 'one' } },
      { id: 'b', tool: 'search', given: { query: 'two' } },
    ]);
    for (const id of ['a', 'b']) {
      const announced = events.findIndex(
        (event) => event.kind === 'call-announced' && event.id === id,
      );
      const whole = events.findIndex((event) => event.kind === 'call' && event.call.id === id);
      expect(announced).toBeGreaterThan(-1);
      expect(whole).toBeGreaterThan(announced);
    }
    const { reason, message } = lastOf(events, 'finished');
    expect(reason).toBe('calls');
    expect(message.parts).toEqual([{ kind: 'text', text: 'Looking.' }, ...calls]);
    expect(server.requests[0]?.text).toContain('"query"');
  });

  it('emits each part as soon as it arrives, and aborts the request when its reader stops', async () => {
    await using server = await startScriptedModel({
      turns: [
        {
          kind: 'answer',
          steps: [
            { kind: 'text', text: 'first' },
            { kind: 'hold', name: 'rest' },
            { kind: 'text', text: 'rest' },
          ],
        },
      ],
    });
    for await (const event of modelAt(cell, server).stream(
      asking('go'),
      new AbortController().signal,
    )) {
      expect(event).toEqual({ kind: 'text', text: 'first' });
      break;
    }
    await expect.poll(() => server.open).toBe(0);
  });
});
