// Splits a line of text into a program and its arguments, by the quoting rules of POSIX shells. No shell
// reads the line, so syntax that only a shell understands is a problem and is never passed on as text.
// https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html#tag_19_02

import { err, ok, type Result } from '@plugboard/base';

export type SplitProblem =
  /** The text contains a character with a meaning for a shell. */
  | { readonly kind: 'needs-shell'; readonly character: string }
  | { readonly kind: 'open-quote'; readonly quote: '"' | "'" }
  | { readonly kind: 'open-escape' }
  | { readonly kind: 'empty' };

export interface SplitCommand {
  readonly command: string;
  readonly args: readonly string[];
}

export function splitCommand(text: string): Result<SplitCommand, SplitProblem> {
  const words: string[] = [];
  // Undefined between words, since `''` is a word.
  let word: string | undefined;
  let rest = text.trim();
  while (rest !== '') {
    const piece = pieceOf(rest);
    if (!piece.ok) return piece;
    const { length, value } = piece.value;
    if (value === undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = `${word ?? ''}${value}`;
    }
    rest = rest.slice(length);
  }
  const [command = '', ...args] = word === undefined ? words : [...words, word];
  return command === '' ? err({ kind: 'empty' }) : ok({ command, args });
}

interface Piece {
  /** Its length in the text. */
  readonly length: number;
  /** The text to add to a word; `undefined` if the piece ends the word. */
  readonly value: string | undefined;
}

function pieceOf(text: string): Result<Piece, SplitProblem> {
  const first = text.charAt(0);
  if (first === "'") return singleQuoted(text);
  if (first === '"') return doubleQuoted(text);
  if (first === '\\') return readEscape(text);
  const [blanks] = /^[ \t]+/.exec(text) ?? [];
  if (blanks !== undefined) return ok({ length: blanks.length, value: undefined });
  if (NEEDS_SHELL.test(first)) return err({ kind: 'needs-shell', character: first });
  const [plain = first] = PLAIN.exec(text) ?? [];
  return ok({ length: plain.length, value: plain });
}

/** A line break ends a command, as `;` does. */
const NEEDS_SHELL = /[|&;<>()$`\n\r]/;
const PLAIN = /^[^'"\\ \t|&;<>()$`\n\r]+/;

function singleQuoted(text: string): Result<Piece, SplitProblem> {
  const end = text.indexOf("'", 1);
  if (end === -1) return err({ kind: 'open-quote', quote: "'" });
  return ok({ length: end + 1, value: text.slice(1, end) });
}

/** Between double quotes a shell still expands `$` and backticks, and a backslash escapes only special characters. */
function doubleQuoted(text: string): Result<Piece, SplitProblem> {
  let value = '';
  for (let index = 1; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === '"') return ok({ length: index + 1, value });
    if (character === '$' || character === '`') return err({ kind: 'needs-shell', character });
    const next = text.charAt(index + 1);
    if (character !== '\\' || !/[$`"\\\n]/.test(next)) {
      value += character;
    } else {
      value += next === '\n' ? '' : next;
      index += 1;
    }
  }
  return err({ kind: 'open-quote', quote: '"' });
}

function readEscape(text: string): Result<Piece, SplitProblem> {
  const next = text.charAt(1);
  if (next === '') return err({ kind: 'open-escape' });
  // An escaped line break joins two lines.
  return ok({ length: 2, value: next === '\n' ? '' : next });
}
