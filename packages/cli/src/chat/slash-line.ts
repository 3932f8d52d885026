// Splits a line that begins with a slash into the command and its words. Pure.

export interface SlashLine {
  /** Without the slash. */
  readonly name: string;
  readonly words: readonly string[];
  /** The text after the name, as typed. */
  readonly rest: string;
}

/** `undefined` if the line is not a command: a message may begin with the path of a file. */
export function readSlashLine(text: string): SlashLine | undefined {
  const found = /^\/([A-Za-z][\w:.-]*)(?:\s+([\s\S]*))?$/.exec(text.trim());
  if (found === null) return undefined;
  const [, name = '', rest = ''] = found;
  return { name, words: splitQuotedWords(rest), rest };
}

/** Splits at white space and handles quotes as a shell does. Nothing else of a shell is supported. */
export function splitQuotedWords(text: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else word = (word ?? '') + character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + character;
    }
  }
  return word === undefined ? words : [...words, word];
}
