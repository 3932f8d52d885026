import { describe, expect, it } from 'vitest';
import { type Column, grid, table } from '../../src/print/table.ts';

const COLUMNS: readonly Column<readonly string[]>[] = [
  { title: 'NAME', cell: ([name = '']) => name },
  { title: 'SIZE', cell: ([, size = '']) => size, from: 40 },
  { title: 'WORDS', cell: ([, , words = '']) => words },
];
const ROWS = [
  ['one', '1', 'all of the words there are'],
  ['thirteen', '13', 'fewer'],
];

describe('table', () => {
  it('is as wide as it needs to be where nothing limits it', () => {
    expect(table(COLUMNS, ROWS, Number.POSITIVE_INFINITY)).toBe(
      'NAME      SIZE  WORDS\none       1     all of the words there are\nthirteen  13    fewer\n',
    );
  });

  it('cuts the last column to the screen', () => {
    expect(table(COLUMNS, ROWS, 40)).toBe(
      'NAME      SIZE  WORDS\none       1     all of the words there …\nthirteen  13    fewer\n',
    );
  });

  it('leaves out columns that a narrow screen has no room for', () => {
    expect(table(COLUMNS, ROWS, 30)).toBe(
      'NAME      WORDS\none       all of the words th…\nthirteen  fewer\n',
    );
  });

  it('keeps every row on its line and every column in its place', () => {
    expect(
      grid(
        [
          ['日本', 'two\nlines', 'x'],
          ['a', '\u001B[31mb', 'y'],
        ],
        80,
      ),
    ).toBe('日本  two lines  x\na     b          y\n');
  });
});
