// How many columns a text takes on a screen, and texts cut, filled and wrapped to a number of columns. Wide
// characters (CJK, emoji) take two; a character made of several code points is never cut in half.

let segmenter: Intl.Segmenter | undefined;
const PLAIN = /^[ -~]*$/;
const WIDE =
  /\p{Emoji_Presentation}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|[\u3000-\u303F\uFF01-\uFF60]/u;

export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
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

/** The text on as many lines as it takes: broken at spaces, and where there are none, anywhere. */
export function wrapTo(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of widthOf(text) <= columns ? [text] : text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer) <= columns) {
      line = longer;
    } else {
      if (line !== '') lines.push(line);
      const pieces = piecesOf(word, columns);
      lines.push(...pieces.slice(0, -1));
      line = pieces.at(-1) ?? '';
    }
  }
  return [...lines, line];
}

function piecesOf(word: string, columns: number): readonly string[] {
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

function charactersOf(text: string): readonly string[] {
  // Made when first needed: it takes longer to make than a whole list takes to print.
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

function characterWidth(character: string): number {
  return WIDE.test(character) ? 2 : 1;
}
