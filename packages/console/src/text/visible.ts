// Names, descriptions and results come from servers and clients, and are hostile: invisible characters, or those that change the
// writing direction, can make one text look like another. This makes them visible. All foreign text goes through it: by `Text`
// on the page, and by `visible` in attributes and on canvases.

export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  /** `code` is such as `U+202E`. */
  | { readonly kind: 'hidden'; readonly code: string; readonly name: string };

/** Invisible characters of ordinary text: in emoji, and between letters of joining scripts. */
const ORDINARY = [
  String.raw`\p{Extended_Pictographic}[\p{Emoji_Modifier}\uFE0E\uFE0F]*(?:\u200D\p{Extended_Pictographic}[\p{Emoji_Modifier}\uFE0E\uFE0F]*)*`,
  String.raw`[\d#*]\uFE0F\u20E3`,
  String.raw`(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Sinhala}])[\u200C\u200D]`,
].join('|');

/** Control characters except tab and newline, invisible and private-use characters, and those that reorder text. */
const HIDDEN = String.raw`[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u2028\u2029\u2800\uFFF0-\uFFFB\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Co}\p{Cs}\p{Noncharacter_Code_Point}]`;

const PIECES = new RegExp(`(${ORDINARY})|(${HIDDEN})`, 'gu');

const NAMES: Readonly<Record<number, string>> = {
  0x00: 'null',
  0x08: 'backspace',
  0x0d: 'carriage return',
  0x1b: 'escape',
  0x7f: 'delete',
  0xad: 'soft hyphen',
  0x200b: 'zero width space',
  0x200c: 'zero width non-joiner',
  0x200d: 'zero width joiner',
  0x200e: 'left-to-right mark',
  0x200f: 'right-to-left mark',
  0x2028: 'line separator',
  0x2029: 'paragraph separator',
  0x202a: 'left-to-right embedding',
  0x202b: 'right-to-left embedding',
  0x202c: 'pop directional formatting',
  0x202d: 'left-to-right override',
  0x202e: 'right-to-left override',
  0x2060: 'word joiner',
  0x2066: 'left-to-right isolate',
  0x2067: 'right-to-left isolate',
  0x2068: 'first strong isolate',
  0x2069: 'pop directional isolate',
  0xfeff: 'zero width no-break space',
};

export function piecesOf(text: string): readonly Piece[] {
  const plain = text.replaceAll('\r\n', '\n');
  const pieces: Piece[] = [];
  let from = 0;
  for (const { index, 2: hidden } of plain.matchAll(PIECES)) {
    if (hidden === undefined) continue;
    if (index > from) pieces.push({ kind: 'text', text: plain.slice(from, index) });
    pieces.push(hiddenPiece(hidden));
    from = index + hidden.length;
  }
  if (from < plain.length) pieces.push({ kind: 'text', text: plain.slice(from) });
  return pieces;
}

/** Plain text with codes in place of hidden characters. */
export function visible(text: string): string {
  return piecesOf(text)
    .map((piece) => (piece.kind === 'text' ? piece.text : `⟨${piece.code}⟩`))
    .join('');
}

function hiddenPiece(character: string): Piece {
  const point = character.codePointAt(0) ?? 0;
  const code = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
  return { kind: 'hidden', code, name: NAMES[point] ?? nameByRange(point) };
}

function nameByRange(point: number): string {
  if (point >= 0xe0000 && point <= 0xe007f) return 'tag character';
  if (point >= 0xfe00 && point <= 0xfe0f) return 'variation selector';
  if (point < 0xa0) return 'control character';
  return 'invisible character';
}
