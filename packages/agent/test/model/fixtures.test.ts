// Answers in the words of each provider, played byte for byte to its adapter, in pieces that respect no boundary.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ModelEvent, ModelFailure } from '../../src/index.ts';
import { allOf, asking, CELLS, lastOf, modelAt, SEARCH } from './cells.ts';
import { serving } from './serving.ts';

const PIECE = 13;

async function replay(fixture: string): ReturnType<typeof serving> {
  const text = readFileSync(new URL(`./fixtures/${fixture}.http`, import.meta.url), 'utf8');
  const end = text.indexOf('\n\n');
  const [first = '', ...headers] = text.slice(0, end).split('\n');
  const body = Buffer.from(text.slice(end + 2));
  return serving((request, response) => {
    request.resume();
    response.writeHead(
      Number(first.split(' ')[1]),
      Object.fromEntries(headers.map((line) => line.split(/: (.*)/su, 2) as [string, string])),
    );
    for (let at = 0; at < body.length; at += PIECE) response.write(body.subarray(at, at + PIECE));
    response.end();
  });
}

const ONCE = { backoff: { firstMs: 1, maxMs: 1, maxAttempts: 1 } };

async function eventsOf(cell: (typeof CELLS)[number], fixture: string): Promise<ModelEvent[]> {
  await using server = await replay(fixture);
  return await allOf(modelAt(cell, server, { patience: ONCE }), asking('go', [SEARCH]));
}

function textOf(events: readonly ModelEvent[], kind: 'text' | 'reasoning'): string {
  return events.flatMap((event) => (event.kind === kind ? [event.text] : [])).join('');
}

describe.each(CELLS)('$name', (cell) => {
  const [provider = ''] = cell.name.split('/');

  it('parses a recorded text', async () => {
    const events = await eventsOf(cell, `${provider}-text`);
    const text = 'Hello, wörld 🌍';
    expect(textOf(events, 'text')).toBe(text);
    expect(lastOf(events, 'finished')).toEqual({
      kind: 'finished',
      reason: 'stop',
      message: { kind: 'assistant', parts: [{ kind: 'text', text }] },
      usage: { inputTokens: 1825, outputTokens: 15, cacheReadTokens: 1800, cacheWriteTokens: 0 },
    });
  });

  it('parses recorded reasoning and calls side by side', async () => {
    const events = await eventsOf(cell, `${provider}-calls`);
    const { reason, message, usage } = lastOf(events, 'finished');
    expect(textOf(events, 'reasoning')).toBe('The user wants two files.');
    const calls = message.parts.flatMap((part) => (part.kind === 'call' ? [part] : []));
    expect(calls.map((call) => ({ tool: call.tool, given: call.arguments }))).toEqual([
      { tool: 'read_file', given: { path: 'a.ts' } },
      { tool: 'list_servers', given: {} },
    ]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    expect(reason).toBe('calls');
    expect(usage).toMatchObject({ inputTokens: 1672, outputTokens: 89 });
    expect(JSON.stringify(message)).toContain(KEPT[provider]);
  });

  it.each<[string, ModelFailure['kind']]>([
    ['overload', 'overloaded'],
    ['bad-key', 'bad-key'],
    ['unknown-model', 'unknown-model'],
    ['overflow', 'context-overflow'],
  ])('recognizes a recorded failure: %s', async (fixture, kind) => {
    const { failure } = lastOf(await eventsOf(cell, `${provider}-${fixture}`), 'failed');
    expect(failure.kind).toBe(kind);
  });
});

const KEPT: Readonly<Record<string, string>> = {
  anthropic: 'EqQBCgIYAhIM1gbcDa9GJwZA2b3h',
  openai: 'gAAAAABoISQ24OyVRYbk',
  google: 'CiQBcsjafE8gZWxhcHNlZA==',
  compatible: 'two files.',
};

describe('provider-specific behaviour', () => {
  it('keeps redacted reasoning of Anthropic', async () => {
    const [cell] = CELLS;
    if (cell === undefined) throw new Error('no such cell');
    const { message } = lastOf(await eventsOf(cell, 'anthropic-calls'), 'finished');
    expect(message.parts[1]).toEqual({
      kind: 'reasoning',
      text: '',
      provider: {
        anthropic: { redactedData: 'EmwKAhgBEgy3va3pzix/LafPsn4' },
        model: 'anthropic/claude-sonnet-5-5',
      },
    });
  });

  it('waits as long as Gemini states in the body of its error', async () => {
    const cell = CELLS.find(({ wire }) => wire === 'google');
    if (cell === undefined) throw new Error('no such cell');
    await using server = await replay('google-quota');
    const cancel = new AbortController();
    const events: ModelEvent[] = [];
    for await (const event of modelAt(cell, server).stream(asking('go'), cancel.signal)) {
      events.push(event);
      cancel.abort();
    }
    expect(events[0]).toMatchObject({ kind: 'retrying', afterMs: 17_000 });
  });

  it('recognizes the context overflow of llama.cpp', async () => {
    const cell = CELLS.find(({ wire }) => wire === 'chat');
    if (cell === undefined) throw new Error('no such cell');
    const events = await eventsOf(cell, 'compatible-overflow-llamacpp');
    expect(lastOf(events, 'failed').failure.kind).toBe('context-overflow');
  });
});
