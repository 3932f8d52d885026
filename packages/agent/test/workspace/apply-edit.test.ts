import * as fc from 'fast-check';
import { processorMs } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { applyEdit } from '../../src/workspace/apply-edit.ts';
import { similarPlace } from '../../src/workspace/similar-place.ts';

const short = fc.string({ unit: fc.constantFrom('a', 'b', '\n', ' '), maxLength: 12 });

describe('an edit', () => {
  it('changes only the matched text', () => {
    fc.assert(
      fc.property(short, short, short, (start, end, newText) => {
        const oldText = '«old»';
        const edited = applyEdit(start + oldText + end, { oldText, newText, occurrences: 'one' });
        expect(edited).toMatchObject({ ok: true, value: { after: start + newText + end } });
      }),
    );
  });

  it('can be reverted', () => {
    fc.assert(
      fc.property(short, short, (start, end) => {
        const there = { oldText: '«old»', newText: '«new»\n', occurrences: 'one' } as const;
        const back = { oldText: '«new»\n', newText: '«old»', occurrences: 'one' } as const;
        const text = start + there.oldText + end;
        const edited = applyEdit(text, there);
        expect(edited.ok && applyEdit(edited.value.after, back)).toMatchObject({
          value: { after: text },
        });
      }),
    );
  });

  it('uses the line endings of the file', () => {
    const edit = { oldText: 'b\nc', newText: 'x\ny\r\nz', occurrences: 'one' } as const;
    expect(applyEdit('a\r\nb\r\nc\r\n', edit)).toEqual({
      ok: true,
      value: { after: 'a\r\nx\r\ny\r\nz\r\n', lines: [2] },
    });
  });

  it('matches line endings exactly in a file with both kinds', () => {
    const edit = { oldText: 'b\n', newText: 'x\n', occurrences: 'one' } as const;
    expect(applyEdit('a\r\nb\nc\r\n', edit)).toMatchObject({ value: { after: 'a\r\nx\nc\r\n' } });
    expect(applyEdit('a\nb\r\nc\r\n', edit)).toMatchObject({ value: { after: 'a\nx\r\nc\r\n' } });
  });
});

describe('the most similar place in a file', () => {
  it('is where most lines are equal', () => {
    const text = 'alpha\nbeta\ngamma\ndelta\nalpha\nbeta 2\n';
    expect(similarPlace(text, 'alpha\nbeta\ngamma!')).toEqual({
      startLine: 1,
      endLine: 3,
      text: 'alpha\nbeta\ngamma',
      difference: 'words',
    });
  });

  it('is around the line most similar to the longest one when no line is equal', () => {
    const text = 'first\nconst total = sum(prices);\nlast\n';
    expect(similarPlace(text, 'const total = sum(price)')).toEqual({
      startLine: 2,
      endLine: 2,
      text: 'const total = sum(prices);',
      difference: 'words',
    });
  });

  it('is undefined in a text with nothing similar', () => {
    expect(similarPlace('alpha\nbeta\n', 'zzz yyy xxx')).toBeUndefined();
    expect(similarPlace('', 'x')).toBeUndefined();
  });

  it('is found in bounded time, however large the texts are', async () => {
    const text = `${'x\n'.repeat(500_000)}${'y'.repeat(1_000_000)}`;
    const took = await processorMs(() => {
      similarPlace(text, 'x\n'.repeat(100_000));
      similarPlace(text, 'q'.repeat(1_000_000));
    });
    expect(took).toBeLessThan(5000);
  });

  it('contains lines that exist in the file', () => {
    fc.assert(
      fc.property(short, short, (text, piece) => {
        const place = similarPlace(text, piece);
        if (place === undefined) return;
        const lines = text.split('\n').slice(place.startLine - 1, place.endLine);
        expect(place.text).toBe(lines.join('\n'));
      }),
    );
  });
});
