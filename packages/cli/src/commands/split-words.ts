// Splits a typed command line into words. Supports quotes, and a backslash before a quote, a space or a backslash. Variables
// are not expanded.

/** `undefined` if a quote is not closed. */
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

/** A backslash before any other character is literal, as in `C:\tools`. */
function isEscapable(letter: string, quote: string | undefined): boolean {
  return quote === '"' ? /["\\]/.test(letter) : /["'\\ ]/.test(letter);
}

const PART = /\\([\s\S]?)|'([^']*)'?|"((?:[^"\\]|\\[\s\S]?)*)"?/g;

type Groups = readonly (string | undefined)[];

/** Removes quotes and backslashes from a word of a command line. Does not expand `$(…)`. An open quote extends to the end. */
export function unquoted(word: string): string {
  return word.replaceAll(PART, (_all, ...[escaped, single, double = '']: Groups) => {
    return escaped ?? single ?? double.replaceAll(/\\([$`"\\])/g, '$1');
  });
}
