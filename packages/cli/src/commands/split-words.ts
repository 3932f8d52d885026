// A command line as a person types it, taken apart into words: quotes hold a word together, and a
// backslash before a quote, a blank or a backslash takes it as it is. Nothing is filled in.

/** `undefined` when a quote is not closed. */
export function splitWords(line: string): readonly string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let index = 0; index < line.length; index += 1) {
    const letter = line[index] ?? '';
    const next = line[index + 1] ?? '';
    if (letter === '\\' && quote !== "'" && isEscapable(next, quote)) {
      word = `${word ?? ''}${next}`;
      index += 1;
    } else if (letter === quote) {
      quote = undefined;
    } else if (quote === undefined && /["']/.test(letter)) {
      quote = letter;
      word ??= '';
    } else if (quote === undefined && /\s/.test(letter)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = `${word ?? ''}${letter}`;
    }
  }
  if (quote !== undefined) return undefined;
  return word === undefined ? words : [...words, word];
}

/** A backslash before anything else is one, as in `C:\tools`. */
function isEscapable(letter: string, quote: string | undefined): boolean {
  return quote === '"' ? /["\\]/.test(letter) : /["'\\ ]/.test(letter);
}

const PART = /\\([\s\S]?)|'([^']*)'?|"((?:[^"\\]|\\[\s\S]?)*)"?/g;

type Groups = readonly (string | undefined)[];

/**
 * A word as it stands on a command line, without its quotes and backslashes. Nothing in it is expanded: `$(…)` stays as it
 * is. A quote that is still open counts up to the end.
 */
export function unquoted(word: string): string {
  return word.replaceAll(PART, (_all, ...[escaped, single, double = '']: Groups) => {
    return escaped ?? single ?? double.replaceAll(/\\([$`"\\])/g, '$1');
  });
}
