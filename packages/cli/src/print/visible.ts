// Text that a person has to judge, with no invisible characters in it: what is not shown as a character is shown as its
// number. Unlike `sanitise`, which leaves such things out.

/** All but letters, digits, signs and plain spaces; and what is one of those and yet has no shape. */
const UNSEEN = /[^ \p{L}\p{N}\p{P}\p{S}]|[\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** On one line. */
export function visible(text: string): string {
  return text.replaceAll(UNSEEN, escape);
}

/** A line of a file, with its indentation. */
export function visibleLine(text: string): string {
  return visible(condensed(text).replaceAll('\t', '    '));
}

/** In quotes, so that one sees where it begins and ends. */
export function quoted(text: string): string {
  return `"${visible(condensed(text.replaceAll(/["\\]/g, '\\$&')))}"`;
}

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escape(character: string): string {
  const number = (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0');
  return SHORT[character] ?? (number.length > 4 ? `\\u{${number}}` : `\\u${number}`);
}

/** Where a line begins, code has more of them for good reasons. */
const SPACES = /(?<=\S)[ \t]{20,}|[ \t]{40,}/gu;
const EMPTY_LINES = /(?<=^|\n)(?:[ \t]*\n){8,}/gu;

/**
 * Text that a person has to judge, without the emptiness that can push a part of it out of sight: a long run of spaces, or
 * of empty lines, is shown as how long it is.
 */
export function condensed(text: string): string {
  return text
    .replaceAll(EMPTY_LINES, (found) => `[${found.split('\n').length - 1} empty lines]\n`)
    .replaceAll(SPACES, (found) => `[${found.length} spaces]`);
}
