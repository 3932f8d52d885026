import * as fc from 'fast-check';
import { ManualClock } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { KeptOutput } from '../../src/workspace/kept-output.ts';
import { OutputNews } from '../../src/workspace/output-news.ts';

function keptOf(chunks: readonly string[], maxBytes: number): KeptOutput {
  const kept = new KeptOutput(maxBytes);
  for (const chunk of chunks) kept.take(Buffer.from(chunk));
  return kept;
}

describe('the kept output of a command', () => {
  it('is complete if it fits, also with characters split between chunks', () => {
    const kept = new KeptOutput(100);
    for (const byte of Buffer.from('grüße 👋\n')) kept.take(Buffer.from([byte]));
    expect(kept.text()).toEqual({ text: 'grüße 👋\n', omitted: 0 });
  });

  it('does not depend on where chunks are cut', () => {
    const chunks = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 9 }));
    fc.assert(
      fc.property(chunks, fc.integer({ min: 2, max: 30 }), (given, maxBytes) => {
        expect(keptOf(given, maxBytes).text()).toEqual(keptOf([given.join('')], maxBytes).text());
      }),
    );
  });

  it('is the beginning and the end, with the exact amount that is missing', () => {
    const chunks = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 9 }));
    fc.assert(
      fc.property(chunks, fc.integer({ min: 2, max: 30 }), (given, maxBytes) => {
        const all = given.join('');
        const { text, omitted } = keptOf(given, maxBytes).text();
        const mark = `[… ${omitted} bytes left out …]\n`;
        const [head = '', tail = ''] = omitted === 0 ? [all, ''] : text.split(mark);
        expect(all.startsWith(head) || all.startsWith(head.slice(0, -1))).toBe(true);
        expect(all.endsWith(tail)).toBe(true);
        // A line end is added to a beginning without one.
        const sum = head.length + omitted + tail.length;
        expect([all.length, all.length + 1]).toContain(sum);
      }),
    );
  });
});

describe('the progress of a command', () => {
  it('is reported at once, then at most ten times a second, with the last line', async () => {
    const clock = new ManualClock();
    const messages: string[] = [];
    using news = new OutputNews((message) => messages.push(message), clock);
    news.take(Buffer.from('one\n'));
    await clock.advance(0);
    for (let index = 0; index < 50; index += 1) news.take(Buffer.from(`line ${index}\n`));
    await clock.advance(99);
    expect(messages).toEqual(['one']);
    await clock.advance(1);
    expect(messages).toEqual(['one', 'line 49']);
  });

  it('is reported also without output', async () => {
    const clock = new ManualClock();
    const messages: string[] = [];
    using news = new OutputNews((message) => messages.push(message), clock);
    await clock.advance(10_000);
    expect(messages).toEqual(['running for 5 s', 'running for 10 s']);
    news[Symbol.dispose]();
    await clock.advance(10_000);
    expect(messages).toHaveLength(2);
  });
});
