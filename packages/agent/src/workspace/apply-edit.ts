// Replaces an exact piece of a text by another one, once or everywhere. Line ends follow the file: a model that writes `\n`
// means the line ends of the file. Explains a failure so that the next attempt can succeed. Pure.

import { err, ok, type Result } from '@plugboard/base';
import { similarPlace } from './similar-place.ts';

export interface Edit {
  readonly oldText: string;
  readonly newText: string;
  readonly occurrences: 'one' | 'all';
}

export interface EditResult {
  readonly after: string;
  /** The lines of the replaced pieces in the original text, from 1. */
  readonly lines: readonly number[];
}

const MOST_LINES_NAMED = 10;

/** The error is a message for a model. */
export function applyEdit(before: string, edit: Edit): Result<EditResult, string> {
  if (edit.oldText === '') {
    return err('old_text is empty; give the piece to replace, or use write_file');
  }
  if (edit.oldText === edit.newText) return err('old_text and new_text are the same');
  const fitted = fit(before, edit);
  const found = positionsOf(before, fitted.oldText);
  if (found.length === 0) return err(notFound(before, edit.oldText));
  const lines = lineNumbersAt(before, found);
  if (found.length > 1 && edit.occurrences === 'one') return err(lineNumbersText(lines));
  // A function, since `$&` in a replacement text has a special meaning.
  return ok({ after: before.replaceAll(fitted.oldText, () => fitted.newText), lines });
}

/** The edit with the line ends of the text. */
function fit(before: string, edit: Edit): Edit {
  const hasBoth = /\r\n/.test(before);
  if (!hasBoth) return edit;
  const inCrlf = { ...edit, oldText: toCrlf(edit.oldText), newText: toCrlf(edit.newText) };
  const hasLone = /(?<!\r)\n/.test(before);
  if (!hasLone) return inCrlf;
  // In a text with both kinds, the given text is used unchanged if it occurs.
  return before.includes(edit.oldText) ? edit : inCrlf;
}

function toCrlf(text: string): string {
  return text.replaceAll(/\r?\n/g, '\r\n');
}

function positionsOf(text: string, piece: string): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf(piece); at !== -1; at = text.indexOf(piece, at + piece.length)) {
    found.push(at);
  }
  return found;
}

function lineNumbersAt(text: string, positions: readonly number[]): readonly number[] {
  let line = 1;
  let from = 0;
  return positions.map((position) => {
    for (
      let at = text.indexOf('\n', from);
      at !== -1 && at < position;
      at = text.indexOf('\n', from)
    ) {
      line += 1;
      from = at + 1;
    }
    return line;
  });
}

function lineNumbersText(lines: readonly number[]): string {
  const named = lines.slice(0, MOST_LINES_NAMED).join(', ');
  const more = lines.length > MOST_LINES_NAMED ? ', …' : '';
  return (
    `old_text is there ${lines.length} times (at lines ${named}${more}); ` +
    'give more of the lines around the one you mean, or set replace_all'
  );
}

function notFound(before: string, oldText: string): string {
  const place = similarPlace(before, oldText);
  if (place === undefined) return 'old_text is not in the file; read the file and copy it exactly';
  const { startLine, endLine, text, difference } = place;
  const where = startLine === endLine ? `line ${startLine}` : `lines ${startLine} to ${endLine}`;
  const how =
    difference === 'spaces'
      ? `but ${where} differ from it only in spaces or tabs`
      : `the most similar place is ${where}`;
  return `old_text is not in the file; ${how}:\n${text}`;
}
