// Cuts an excerpt from a hostile text that can be safely shown to the user. Pure.

const MAX_LENGTH = 120;
/** Invisible characters and control characters. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]/gu;

export function excerptAt(text: string, index: number, length = 60): string {
  const before = Math.max(0, index - 20);
  const piece = text.slice(before, index + length);
  const shown = writtenOut(piece).replaceAll(/\s+/g, ' ').trim();
  const cut = shown.length > MAX_LENGTH ? `${shown.slice(0, MAX_LENGTH)}…` : shown;
  return `${before > 0 ? '…' : ''}${cut}`;
}

/** Writes each invisible character as in `[U+200B]`. */
function writtenOut(text: string): string {
  return text.replaceAll(UNSEEN, (character) =>
    character === '\n' || character === '\t' || character === '\r'
      ? ' '
      : `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
  );
}
