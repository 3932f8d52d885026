// Measures the columns of a text on a screen, and cuts, pads and wraps texts. Wide characters (CJK, emoji) have two columns.
// A character of several code points is never split.

import { eastAsianWidth } from 'get-east-asian-width';

let segmenter: Intl.Segmenter | undefined;
/** One column for each code unit: Latin letters, arrows, lines and signs, without combining marks. */
const PLAIN =
  /^[ -~\u00A0-\u00AC\u00AE-\u02FF\u2012-\u2026\u2190-\u2193\u2500-\u257F\u25A0-\u25FC\u2713-\u2718\u276E\u276F\u2800-\u28FF]*$/;
/** Also CJK characters, which have two columns for each code unit. */
const SIMPLE =
  /^[ -~\u00A0-\u00AC\u00AE-\u02FF\u2012-\u2026\u2190-\u2193\u2500-\u257F\u25A0-\u25FC\u2713-\u2718\u276E\u276F\u2800-\u28FF\u3001-\u3029\u3041-\u3096\u309B-\u30FF\u3400-\u4DBF\u4E00-\u9FFF\uAC00-\uD7A3\uFF01-\uFF60]*$/;
/** The segmenter is slower per character for longer texts. */
const PIECE = /[\s\S]{1,256}/gu;
/** No column: accents and joiners. */
const ZERO_WIDTH = /\p{Default_Ignorable_Code_Point}|\p{Cc}|\p{Cf}|\p{Mn}|\p{Me}|\p{Cs}/u;
/** Has columns of its own, but belongs to the character before it. */
const TRAILING = /[\p{Mc}\uFF00-\uFFEF]/u;
/** Drawn as one picture of several code points. */
const PICTURE =
  /\p{Extended_Pictographic}(?:\uFE0F|\u200D\p{Extended_Pictographic}|\p{Emoji_Modifier})|^[\d#*]\uFE0F?\u20E3|^\p{Regional_Indicator}{2}/u;

export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  if (SIMPLE.test(text)) return text.length + text.replaceAll(/[\u0000-\u2FFF]/g, '').length;
  return charactersOf(text).reduce((sum, character) => sum + characterWidth(character), 0);
}

export function cutTo(text: string, columns: number): string {
  if (text.length * 2 <= columns || widthOf(text) <= columns) return text;
  let kept = '';
  let left = columns - 1;
  for (const character of charactersOf(text)) {
    left -= characterWidth(character);
    if (left < 0) break;
    kept += character;
  }
  return columns < 1 ? '' : `${kept}…`;
}

export function padTo(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)));
}

/** Breaks lines at spaces, or anywhere within a word that is too long. */
export function wrapTo(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of widthOf(text) <= columns ? [text] : text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer) <= columns) {
      line = longer;
    } else {
      if (line !== '') lines.push(line);
      const pieces = breakWord(word, columns);
      lines.push(...pieces.slice(0, -1));
      line = pieces.at(-1) ?? '';
    }
  }
  return [...lines, line];
}

function breakWord(word: string, columns: number): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const character of charactersOf(word)) {
    if (piece !== '' && widthOf(piece + character) > columns) {
      pieces.push(piece);
      piece = '';
    }
    piece += character;
  }
  return [...pieces, piece];
}

/** Characters as people count them: a letter with its marks is one. */
export function charactersOf(text: string): readonly string[] {
  if (SIMPLE.test(text)) return text.split('');
  // Created on first use, since that takes longer than printing a whole list.
  const graphemes = (segmenter ??= new Intl.Segmenter());
  const pieces = text.length <= 256 ? [text] : (text.match(PIECE) ?? []);
  return pieces.flatMap((piece) => Array.from(graphemes.segment(piece), ({ segment }) => segment));
}

function characterWidth(character: string): number {
  if (PLAIN.test(character)) return character.length;
  if (PICTURE.test(character)) return 2;
  const [first, ...rest] = Array.from(character).filter((sign) => !ZERO_WIDTH.test(sign));
  if (first === undefined) return 0;
  const trailing = rest.filter((sign) => TRAILING.test(sign));
  return [first, ...trailing].reduce(
    (sum, sign) => sum + eastAsianWidth(sign.codePointAt(0) ?? 0),
    0,
  );
}
