// Property tests of the editor.

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  edit,
  type Edit,
  type Editor,
  editorWith,
  EMPTY,
  expandChips,
  moveRow,
} from '../../src/tui/input/editor.ts';
import { columnsOf, cursorPlace, wrapRows } from '../../src/tui/input/text-units.ts';

const PLAIN = [
  'backspace',
  'delete',
  'left',
  'right',
  'word-left',
  'word-right',
  'line-start',
  'line-end',
  'cut-to-end',
  'cut-to-start',
  'cut-word',
  'cut-word-after',
  'yank',
  'undo',
] as const;

const piece = fc.constantFrom(
  'a',
  'word ',
  '日本',
  '👩‍👩‍👧',
  'e\u0301',
  '\n',
  '🇫🇷',
  '-',
  '  ',
  'tab\t',
);
const anEdit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ kind: fc.constant('insert' as const), text: piece }),
  fc.record({
    kind: fc.constant('paste' as const),
    text: fc.constantFrom('short', 'a\n'.repeat(20), 'x'.repeat(900)),
  }),
  fc.record({ kind: fc.constantFrom(...PLAIN) }),
);

function run(edits: readonly Edit[]): Editor {
  return edits.reduce(edit, EMPTY);
}

describe('the editor', () => {
  it('keeps its cursor in the text, and never splits a character, whatever is typed', () => {
    fc.assert(
      fc.property(fc.array(anEdit, { maxLength: 40 }), (edits) => {
        const { text, cursor } = run(edits);
        expect(cursor).toBeGreaterThanOrEqual(0);
        expect(cursor).toBeLessThanOrEqual(text.length);
        // A lone surrogate.
        expect(/\p{Cs}/u.test(`${text.slice(0, cursor)}\n${text.slice(cursor)}`)).toBe(false);
      }),
    );
  });

  it('removes with one backspace what one key inserted', () => {
    fc.assert(
      fc.property(fc.constantFrom('a', '日', '👩‍👩‍👧', '🇫🇷', '\n'), (typed) => {
        const before = editorWith('one ');
        const after = edit(edit(before, { kind: 'insert', text: typed }), { kind: 'backspace' });
        expect({ text: after.text, cursor: after.cursor }).toEqual({ text: 'one ', cursor: 4 });
      }),
    );
  });

  it('undoes everything step by step, back to the beginning', () => {
    const changes = anEdit.filter(({ kind }) => kind !== 'undo');
    fc.assert(
      fc.property(fc.array(changes, { maxLength: 30 }), (edits) => {
        let editor = run(edits);
        for (let step = 0; step < 40; step += 1) editor = edit(editor, { kind: 'undo' });
        expect(editor.text).toBe('');
      }),
    );
  });

  it('sends all pasted text, in the place where it was pasted', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('p$1\n'.repeat(30), 'q'.repeat(2000)), { maxLength: 4 }),
        (pastes) => {
          const editor = run(
            pastes.flatMap((text): Edit[] => [
              { kind: 'paste', text },
              { kind: 'insert', text: '|' },
            ]),
          );
          expect(expandChips(editor)).toBe(pastes.map((text) => `${text}|`).join(''));
        },
      ),
    );
  });

  it('folds a large paste to a label that is one unit for every key', () => {
    const pasted = edit(editorWith('see '), { kind: 'paste', text: 'line\n'.repeat(119) + 'end' });
    expect(pasted.text).toBe('see [pasted 120 lines #1]');
    expect(edit(pasted, { kind: 'left' }).cursor).toBe(4);
    expect(edit(pasted, { kind: 'word-left' }).cursor).toBe(4);
    expect(edit(pasted, { kind: 'backspace' }).text).toBe('see ');
  });

  it('cuts and pastes by words and lines', () => {
    const cut = edit(editorWith('one two three'), { kind: 'cut-word' });
    const twice = edit(cut, { kind: 'cut-word' });
    expect([cut.text, twice.text, twice.cut]).toEqual(['one two ', 'one ', 'two three']);
    expect(edit(twice, { kind: 'yank' }).text).toBe('one two three');
    expect(edit(editorWith('a\nbc'), { kind: 'cut-to-start' }).text).toBe('a\n');
  });

  it('drops terminal sequences', () => {
    expect(edit(EMPTY, { kind: 'paste', text: 'a\u001B[2Jb\u202Ec\r\nd' }).text).toBe('a[2Jbc\nd');
  });
});

describe('the rows of a text', () => {
  const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));

  it('cover the text and fit the screen', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 30 }), (given, columns) => {
        const rows = wrapRows(given, columns);
        const shown = rows.map(({ start, end }) => given.slice(start, end));
        expect(shown.join('')).toBe(given.replaceAll('\n', ''));
        for (const row of shown) expect(columnsOf(row)).toBeLessThanOrEqual(columns);
      }),
    );
  });

  it('have a place for every cursor, left of the edge', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 4, max: 30 }), (given, columns) => {
        let editor = editorWith(given);
        while (editor.cursor > 0) {
          const place = cursorPlace(given, wrapRows(given, columns), editor.cursor);
          expect(place.column).toBeLessThan(columns);
          editor = edit(editor, { kind: 'left' });
        }
      }),
    );
  });

  it('keep the column when the cursor moves', () => {
    const editor = editorWith('long line here\nab\nanother line');
    const up = moveRow(editor, 'up', 40);
    const twice = up === undefined ? undefined : moveRow(up, 'up', 40);
    expect([up?.cursor, twice?.cursor]).toEqual([17, 12]);
    expect(twice === undefined ? undefined : moveRow(twice, 'up', 40)).toBeUndefined();
  });
});
