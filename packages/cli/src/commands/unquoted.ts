// A word as it stands on a command line, without its quotes and backslashes. Nothing in it is expanded:
// `$(…)` stays as it is. A quote that is still open counts up to the end.

const PART = /\\([\s\S]?)|'([^']*)'?|"((?:[^"\\]|\\[\s\S]?)*)"?/g;

type Groups = readonly (string | undefined)[];

export function unquoted(word: string): string {
  return word.replaceAll(PART, (_all, ...[escaped, single, double = '']: Groups) => {
    return escaped ?? single ?? double.replaceAll(/\\([$`"\\])/g, '$1');
  });
}
