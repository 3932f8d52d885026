import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Column, grid, table } from '../../src/print/table.ts';
import { widthOf } from '../../src/print/width.ts';

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
  it('is as wide as needed if nothing limits it', () => {
    expect(table(COLUMNS, ROWS, Number.POSITIVE_INFINITY)).toBe(
      'NAME      SIZE  WORDS\none       1     all of the words there are\nthirteen  13    fewer\n',
    );
  });

  it('cuts the last column to the screen', () => {
    expect(table(COLUMNS, ROWS, 40)).toBe(
      'NAME      SIZE  WORDS\none       1     all of the words there …\nthirteen  13    fewer\n',
    );
  });

  it('leaves out columns that do not fit a narrow screen', () => {
    expect(table(COLUMNS, ROWS, 30)).toBe(
      'NAME      WORDS\none       all of the words th…\nthirteen  fewer\n',
    );
  });

  it('keeps every row on one line and every column aligned', () => {
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

  it('narrows the widest columns if the last would get too little room', () => {
    const rows = [
      ['short', 'a-name-that-is-much-too-long-for-this', 'and what it runs'],
      ['x', 'y', 'z'],
    ];
    expect(grid(rows, 40)).toBe(
      'short  a-name-that-is…  and what it runs\nx      y                z\n',
    );
  });

  it('puts the last cell below the others instead of cutting a name', () => {
    const columns: readonly Column<readonly string[]>[] = [
      { title: 'SERVER', cell: ([server = '']) => server, isName: true },
      { title: 'TOOL', cell: ([, tool = '']) => tool, isName: true },
    ];
    const rows = [['everything', 'trigger-long-running-operation']];
    expect(table(columns, rows, 42)).toBe(
      'SERVER      TOOL\neverything  trigger-long-running-operation\n',
    );
    expect(table(columns, rows, 40)).toBe(
      'SERVER\n  TOOL\neverything\n  trigger-long-running-operation\n',
    );
    expect(table(columns, rows, 20)).toBe(
      'SERVER\n  TOOL\neverything\n  trigger-long-runni\n  ng-operation\n',
    );
  });

  it('shows a name and a reason completely on a narrow screen', () => {
    const rows = [
      ['failed', 'a-server-with-a-long-name', 'could not start: there is no command "none"'],
      ['ok', 'other', '3 tools in 20 ms'],
    ];
    expect(grid(rows, 40, 'wrap')).toBe(`failed  a-server-with-a-long-name
  could not start: there is no command
  "none"
ok  other
  3 tools in 20 ms
`);
  });

  it('wraps cells if it must be shown completely', () => {
    expect(
      grid(
        [
          ['runs', 'npx -y some-package --with-an-option-that-is-long'],
          ['name', 'x'],
        ],
        24,
        'wrap',
      ),
    ).toBe(`runs  npx -y
      some-package
      --with-an-option-t
      hat-is-long
name  x
`);
  });

  it('has no line wider than the screen, and loses no word when it wraps', () => {
    const cell = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 80 }),
      fc.stringMatching(/^[a-z 日本🙂]{0,80}$/u),
    );
    const rows = fc.integer({ min: 1, max: 6 }).chain((columns) =>
      fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), {
        minLength: 1,
        maxLength: 4,
      }),
    );
    fc.assert(
      fc.property(rows, fc.integer({ min: 2, max: 250 }), (given, screen) => {
        for (const overflow of ['cut', 'wrap'] as const) {
          const lines = grid(given, screen, overflow).split('\n');
          expect(lines.filter((line) => widthOf(line) > screen)).toEqual([]);
        }
      }),
    );
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-z 日本]{0,80}$/u),
        fc.integer({ min: 20, max: 40 }),
        (text, screen) => {
          const letters = (shown: string): string => shown.replaceAll(/\s/g, '');
          expect(letters(grid([['', text]], screen, 'wrap'))).toBe(letters(text));
        },
      ),
    );
  });
});
