// Reading any stream of a provider yields valid parts, or reports it as broken.

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnswerReader, type StreamPart } from '../../src/model/read-answer.ts';

const restore = (_: string, given: object): never => given as never;
const SMALL = { maxLength: 50, maxCalls: 3 };

function readerOf(limits = SMALL): AnswerReader {
  return new AnswerReader({ model: 'test/model', restore, limits });
}

const id = fc.constantFrom('', '0', '1', 'x'.repeat(300));
const toolName = fc.constantFrom('search', '', 'y'.repeat(300));
const input = fc.constantFrom('', '{}', '{"a":1}', 'null', '[]', '{"a"', '"text"', '['.repeat(200));
const providerMetadata = fc.constantFrom(undefined, {}, { p: {} }, { p: { s: 'x' } });

const part: fc.Arbitrary<StreamPart> = fc.oneof(
  fc.record({ type: fc.constant('text-start' as const), id }),
  fc.record({ type: fc.constant('text-delta' as const), id, delta: fc.string() }),
  fc.record({ type: fc.constant('text-end' as const), id }),
  fc.record({ type: fc.constant('reasoning-start' as const), id }),
  fc.record({ type: fc.constant('reasoning-delta' as const), id, delta: fc.string() }),
  fc
    .record({ type: fc.constant('reasoning-end' as const), id, providerMetadata })
    .map((end) => end as StreamPart),
  fc.record({ type: fc.constant('tool-input-start' as const), id, toolName }),
  fc.record({ type: fc.constant('tool-input-delta' as const), id, delta: fc.string() }),
  fc.record({ type: fc.constant('tool-call' as const), toolCallId: id, toolName, input }),
);

describe('parsing the stream of an answer', () => {
  it('never throws, stays within its limits, and gives every call its own id', () => {
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const reader = readerOf();
        let text = '';
        for (const one of parts) {
          const reading = reader.read(one);
          if (reading.kind !== 'events') break;
          for (const event of reading.events) if (event.kind === 'text') text += event.text;
        }
        const message = reader.parts();
        const calls = message.filter(({ kind }) => kind === 'call');
        const ids = calls.map((call) => (call.kind === 'call' ? call.id : ''));
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.length).toBeLessThanOrEqual(SMALL.maxCalls);
        expect(text.length).toBeLessThanOrEqual(SMALL.maxLength);
        expect(JSON.parse(JSON.stringify(message))).toEqual(message);
      }),
    );
  });

  it('reports an answer that is too long, also one with only arguments', () => {
    const long = 'z'.repeat(SMALL.maxLength + 1);
    const broken = { kind: 'broken', message: 'the answer is longer than 50' };
    expect(readerOf().read({ type: 'text-delta', id: '0', delta: long })).toEqual(broken);
    expect(readerOf().read({ type: 'tool-input-delta', id: '0', delta: long })).toEqual(broken);
    const call = { type: 'tool-call', toolCallId: 'a', toolName: 'search', input: long } as const;
    expect(readerOf().read(call)).toEqual(broken);
  });

  it.each([
    ['', {}, undefined],
    ['null', {}, undefined],
    ['{"a":[1]}', { a: [1] }, undefined],
    ['[]', {}, 'not an object'],
    ['{"a"', {}, 'not valid JSON'],
    ['['.repeat(200), {}, 'too deep'],
  ])('parses the arguments %j', (text, given, unreadable) => {
    const reader = readerOf({ maxLength: 1000, maxCalls: 1 });
    reader.read({ type: 'tool-call', toolCallId: 'a', toolName: 'search', input: text });
    expect(reader.parts()).toEqual([
      {
        kind: 'call',
        id: 'a',
        tool: 'search',
        arguments: given,
        ...(unreadable && { unreadable }),
      },
    ]);
  });
});
