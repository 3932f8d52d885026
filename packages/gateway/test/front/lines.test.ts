import { codePoint } from '@plugboard/testkit/code-point';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Lines } from '../../src/front/lines.ts';

function readIn(text: string, cuts: readonly number[], longest: number): (string | undefined)[] {
  const bytes = Buffer.from(text, 'utf8');
  const lines = new Lines(longest);
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length];
  let start = 0;
  return ends
    .toSorted((a, b) => a - b)
    .flatMap((end) => {
      const read = [...lines.push(bytes.subarray(start, end))];
      start = end;
      return read;
    });
}

describe('the lines of a stream', () => {
  it('are the same however the stream is cut, and lines over the limit are skipped', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: codePoint }).map((line) => line.replaceAll('\n', ' '))),
        fc.array(fc.nat()),
        fc.integer({ min: 0, max: 20 }),
        (texts, cuts, longest) => {
          const whole = texts.map((line) => `${line}\n`).join('');
          const expected = texts.map((line) => {
            const bytes = Buffer.from(line, 'utf8');
            return bytes.length > longest ? undefined : bytes.toString('utf8');
          });
          expect(readIn(whole, cuts, longest)).toEqual(expected);
        },
      ),
    );
  });
});
