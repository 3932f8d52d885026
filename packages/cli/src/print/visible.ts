// Makes invisible characters visible in text that a person has to judge, by writing their code points. `sanitise` removes
// them instead.

/** Everything except letters, digits, signs and plain spaces, and those of them that have no shape. */
const INVISIBLE = /[^ \p{L}\p{N}\p{P}\p{S}]|[\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** On one line. */
export function visible(text: string): string {
  return text.replaceAll(INVISIBLE, escape);
}

/** A line of a file, with its indentation. */
export function visibleLine(text: string): string {
  return visible(condensed(text).replaceAll('\t', '    '));
}

/** In quotes, which show where the text begins and ends. */
export function quoted(text: string): string {
  return `"${visible(condensed(text.replaceAll(/["\\]/g, '\\$&')))}"`;
}

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escape(character: string): string {
  const number = (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0');
  return SHORT[character] ?? (number.length > 4 ? `\\u{${number}}` : `\\u${number}`);
}

/** Longer runs are allowed at the beginning of a line, since code is indented. */
const SPACES = /(?<=\S)[ \t]{20,}|[ \t]{40,}/gu;
const EMPTY_LINES = /(?<=^|\n)(?:[ \t]*\n){8,}/gu;

/** Replaces long runs of spaces or empty lines, which could push text off the screen, with their length. */
export function condensed(text: string): string {
  return text
    .replaceAll(EMPTY_LINES, (found) => `[${found.split('\n').length - 1} empty lines]\n`)
    .replaceAll(SPACES, (found) => `[${found.length} spaces]`);
}
