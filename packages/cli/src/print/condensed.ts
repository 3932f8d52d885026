// Text that a person has to judge, without the emptiness that can push a part of it out of sight: a long run of spaces,
// or of empty lines, is shown as how long it is. Pure.

/** Where a line begins, code has more of them for good reasons. */
const SPACES = /(?<=\S)[ \t]{20,}|[ \t]{40,}/gu;
const EMPTY_LINES = /(?<=^|\n)(?:[ \t]*\n){8,}/gu;

export function condensed(text: string): string {
  return text
    .replaceAll(EMPTY_LINES, (found) => `[${found.split('\n').length - 1} empty lines]\n`)
    .replaceAll(SPACES, (found) => `[${found.length} spaces]`);
}
