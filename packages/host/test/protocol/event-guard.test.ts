import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DepthMeter } from '@plugboard/base';
import { MAX_DEPTH } from '../../src/protocol/frame/limits.ts';
import {
  type Edges,
  guardEvents,
  type StreamEnd,
} from '../../src/protocol/transport/event-guard.ts';
import type { ProtocolFailure } from '../../src/protocol/neutral/failure.ts';

interface GuardReport {
  readonly passed: string;
  readonly refused: readonly { failure: ProtocolFailure; edges: Edges }[];
  readonly ends: readonly StreamEnd[];
}

async function guard(pieces: readonly string[], limit = 1000): Promise<GuardReport> {
  const refused: { failure: ProtocolFailure; edges: Edges }[] = [];
  const ends: StreamEnd[] = [];

  const stream = guardEvents(streamOf(pieces), limit, {
    onRefused: (failure, edges) => refused.push({ failure, edges }),
    onEnd: (end) => ends.push(end),
  });
  return { passed: await new Response(stream).text(), refused, ends };
}

function streamOf(pieces: readonly string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(Buffer.from(piece));
      controller.close();
    },
  });
}

/** Cuts the text at the places given. */
function cut(text: string, places: readonly number[]): string[] {
  const sorted = [
    ...new Set([0, ...places.map((place) => place % (text.length + 1)), text.length]),
  ];
  sorted.sort((a, b) => a - b);
  return sorted.slice(1).map((end, index) => text.slice(sorted[index], end));
}

const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('the guard of an event stream', () => {
  it.each([
    ['0', '250'],
    ['00000', '250'],
    ['3000', '3000'],
    ['9'.repeat(20), '600000'],
    ['9'.repeat(500), '600000'],
  ])('limits the retry time of a server: %s', async (asked, passed) => {
    const { passed: text } = await guard([`retry:${asked}\nid: a\n\nretry: ${asked}\ndata: x\n\n`]);
    expect(text).toBe(`retry: ${passed}\nid: a\n\nretry: ${passed}\ndata: x\n\n`);
  });

  it.each([
    ['a character that no header holds', '\u2603'],
    ['a control character', 'a\u0001b'],
    ['more than a server reads of a header', 'x'.repeat(5000)],
  ])('does not treat a stream as resumable because of an id with %s', async (_, id) => {
    const { passed, ends } = await guard([`id: ${id}\ndata: x\n\n`], 10_000);
    expect(passed).toBe('data: x\n\n');
    expect(ends).toEqual([{ thrown: undefined, isResumable: false, mayHaveAnswered: false }]);
  });

  it('passes valid events on, however they are cut into pieces', async () => {
    const line = fc.stringMatching(/^[a-z "{}[\]\\]{0,30}$/);
    const event = fc.array(line, { minLength: 1, maxLength: 4 });
    const breaks = fc.constantFrom('\n', '\r\n', '\r');
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { maxLength: 6 }),
        breaks,
        fc.array(fc.nat(), { maxLength: 20 }),
        async (events, newline, places) => {
          const written = (end: string): string =>
            events
              .map((lines) => `${lines.map((text) => `data: ${text}${end}`).join('')}${end}`)
              .join('');
          // Lines are split at \n first, so a text with \r alone needs one \n at its end.
          const text = `${written(newline)}${newline === '\r' ? '\n' : ''}`;
          const { passed, refused } = await guard(cut(text, places));
          expect({ passed, refused }).toEqual({ passed: written('\n'), refused: [] });
        },
      ),
    );
  });

  it('drops an event that is too large and keeps its neighbours', async () => {
    const large = `data: {"jsonrpc":"2.0","id":7,"result":"${'x'.repeat(2000)}"}\n\n`;
    const { passed, refused } = await guard([`data: 1\n\n${large}`, 'data: 2\n\n']);
    expect(passed).toBe('data: 1\n\ndata: 2\n\n');
    expect(refused).toEqual([
      {
        failure: { kind: 'too-large', bytes: large.length - 2, limit: 1000 },
        edges: {
          head: expect.stringMatching(/^ \{"jsonrpc":"2\.0","id":7,/) as string,
          tail: expect.stringMatching(/x"\}$/) as string,
        },
      },
    ]);
  });

  it('counts all lines of an event together, and even empty ones', async () => {
    const { refused } = await guard([`${'data: x\n'.repeat(100)}\n`, `${'a\n'.repeat(100)}\n`]);
    expect(refused.map(({ failure }) => failure.kind)).toEqual(['too-large', 'too-large']);
  });

  it('does not count comments', async () => {
    const { passed, refused } = await guard([': awake\n'.repeat(1000), 'data: x\n\n']);
    expect({ passed, refused }).toEqual({ passed: 'data: x\n\n', refused: [] });
  });

  it.each([
    ['in one line', `data: ${deep(513)}\n\n`],
    ['over many lines', `${deep(513).replaceAll(/.{100}/g, 'data: $&\n')}data: \n\n`],
    ['behind a quote that is no data', `event: "\ndata: ${deep(513)}\n\n`],
    ['behind a comment that ends with a carriage return', `:\rdata: ${deep(513)}\n\n`],
    [
      'behind a short line and one that is no data',
      `data: [\nid: ${'x'.repeat(600)}\ndata: ${deep(512)}\n\n`,
    ],
  ])('drops an event that nests too deep %s', async (_, event) => {
    const { passed, refused } = await guard([event, 'data: 1\n\n'], 100_000);
    expect(refused.map(({ failure }) => failure.kind)).toEqual(['invalid-result']);
    expect(passed).toBe('data: 1\n\n');
  });

  it.each([
    ['"error":null', 'the result is not an object'],
    ['"result":null', 'the result is not an object'],
    ['"error":"x"', 'the error has no code or no message'],
    ['"result":{', 'the message is not sound, or nests too deep'],
  ])('drops an unreadable answer: %s', async (answer, detail) => {
    const event = `data: {"jsonrpc":"2.0","id":7,${answer}}\n\n`;
    const { passed, refused } = await guard([event, 'data: 1\n\n']);
    expect(passed).toBe('data: 1\n\n');
    expect(refused.map(({ failure }) => failure)).toEqual([{ kind: 'invalid-result', detail }]);
  });

  it('removes unknown fields from a message', async () => {
    const { passed } = await guard([
      'id: 1\ndata: {"jsonrpc":"2.0","id":7,"result":{},"error":null,"more":1}\n\n',
    ]);
    expect(passed).toBe('id: 1\ndata: {"jsonrpc":"2.0","id":7,"result":{}}\n\n');
  });

  it.each([
    ['data: {"id":1,"result":{}}\n\n', { mayHaveAnswered: true, isResumable: false }],
    ['data: {"method":"x"}\n\n', { mayHaveAnswered: false, isResumable: false }],
    ['id: 1\ndata:\n\n', { mayHaveAnswered: false, isResumable: true }],
  ])('reports what came before the end: %j', async (event, end) => {
    expect((await guard([event])).ends).toEqual([{ thrown: undefined, ...end }]);
  });
});

describe('the depth meter', () => {
  it('finds text that is nested too deep, and nothing else, in pieces too', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 500, max: 530 }),
        fc.array(fc.nat(), { maxLength: 5 }),
        (levels, places) => {
          const meter = new DepthMeter(MAX_DEPTH);
          const text = `{"a":"[[[{{\\"[","b":${deep(levels - 1)}}`;
          const found = cut(text, places).some((piece) => meter.isTooDeep(piece));
          expect(found).toBe(levels > 512);
        },
      ),
    );
  });
});
