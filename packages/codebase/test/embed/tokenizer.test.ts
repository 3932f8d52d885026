import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTokenizer } from '../../src/embed/tokenizer.ts';
import { MODEL_FOLDER, modelTokenizer } from './model-package.ts';

const tokenizer = await modelTokenizer();
const file = JSON.parse(readFileSync(join(MODEL_FOLDER, 'tokenizer.json'), 'utf8')) as {
  model: { vocab: Record<string, number> };
};
const pieceOf = new Map(Object.entries(file.model.vocab).map(([piece, id]) => [id, piece]));

/** The pieces of a text, without those of its start and end. */
function pieces(text: string, maxTokens = 512): string {
  const ids = Array.from(tokenizer.encode(text, maxTokens));
  expect([ids[0], ids.at(-1)]).toEqual([101, 102]);
  return ids
    .slice(1, -1)
    .map((id) => pieceOf.get(id) ?? `?${id}`)
    .join(' ');
}

describe('the tokens of a text', () => {
  it('are the ids that the model was trained with', () => {
    expect(Array.from(tokenizer.encode('hello world', 96))).toEqual([101, 7592, 2088, 102]);
    expect(Array.from(tokenizer.encode('', 96))).toEqual([101, 102]);
    expect(Array.from(tokenizer.encode('Hello, WORLD!', 96))).toEqual([
      101, 7592, 1010, 2088, 999, 102,
    ]);
  });

  it.each([
    ['unaffable', 'una ##ffa ##ble'],
    ['a unit-test_name()', 'a unit - test _ name ( )'],
    ['tokenization tokenizer', 'token ##ization token ##izer'],
    ['costs $5 + tax', 'costs $ 5 + tax'],
    ['tab\tnew\nline\r\nhard\u00A0wide\u3000end', 'tab new line hard wide end'],
    // Accents go, whether they are part of a character or follow it.
    ['Café cafe\u0301 ÅNGËL', 'cafe cafe angel'],
    // Chinese characters stand alone; Hiragana and Hangul do not, and Hangul comes apart into its letters.
    ['中国abc', '中 国 abc'],
    ['한', 'ᄒ ##ᅡ ##ᆫ'],
    // What is not to be seen is not there, and joins what is around it.
    ['he\u0000l\u200Bl\uFFFDo\u0007', 'hello'],
    // A lone half of a character is no text.
    ['hel\uD83Dlo', 'hello'],
    // A private character goes; an emoji stays, and is unknown.
    ['a\uE000b 🚀', 'ab [UNK]'],
    // Symbols beyond ASCII are no punctuation; quotes and dashes are.
    ['“a”—b', '“ a ” — b'],
    // The last sigma of a word is as any other.
    ['ΑΣ', 'α ##σ'],
    ['İ', 'i'],
    // Special tokens count where they are written, and only as they are written.
    ['a [SEP] b [sep]', 'a [SEP] b [ sep ]'],
  ])('of %j are %s', (text, expected) => {
    expect(pieces(text)).toBe(expected);
  });

  it('end with the end token when there are too many', () => {
    expect(pieces('one two three four', 5)).toBe('one two three');
    expect(tokenizer.encode('word '.repeat(500), 96)).toHaveLength(96);
    expect(pieces('[SEP][SEP][SEP]', 4)).toBe('[SEP] [SEP]');
  });

  it('contain one unknown token for a word of more than 100 characters', () => {
    expect(pieces('a'.repeat(101))).toBe('[UNK]');
    expect(pieces('a'.repeat(100))).not.toContain('[UNK]');
    expect(pieces(`${'x'.repeat(101)} y`)).toBe('[UNK] y');
    // Characters, not the units they are stored in.
    expect(pieces('𝐀'.repeat(100))).toBe('[UNK]');
  });

  it('are deterministic and within the limit, for any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.integer({ min: 2, max: 40 }),
        (text, most) => {
          const ids = tokenizer.encode(text, most);
          expect(ids.length).toBeLessThanOrEqual(most);
          expect([ids[0], ids.at(-1)]).toEqual([101, 102]);
          expect(tokenizer.encode(text, most)).toEqual(ids);
          // A smaller limit gives the beginning of the same.
          expect(tokenizer.encode(text, 512).subarray(0, ids.length - 1)).toEqual(
            ids.subarray(0, -1),
          );
        },
      ),
    );
  });

  it('are read from the beginning of a huge text only', () => {
    expect(pieces(`${' '.repeat(16_000)}seen${' '.repeat(1_000)}not seen`)).toBe('seen');
    const huge = ['x'.repeat(2e7), '\u0301'.repeat(2e6), '[SEP'.repeat(2e6), ' '.repeat(2e7)];
    for (const text of huge) expect(tokenizer.encode(text, 96).length).toBeLessThanOrEqual(96);
  });
});

describe('a tokenizer file', () => {
  it.each([
    ['not json', 'it is not JSON that can be read (invalid)'],
    ['{"model":{"type":"BPE","vocab":{}}}', 'it holds no WordPiece model'],
    [
      '{"model":{"type":"WordPiece","vocab":{"a":"1"}}}',
      'its vocabulary has an id that is no number',
    ],
    [
      '{"model":{"type":"WordPiece","vocab":{"a":1}}}',
      'its vocabulary lacks [CLS], [SEP] or [UNK]',
    ],
  ])('%s is refused', (json, error) => {
    expect(readTokenizer(json)).toEqual({ ok: false, error });
  });
});
