// Parses `key=value` words for prompts and templates, which accept only text.

import { parseArguments } from './call-arguments.ts';

export async function textArguments(
  words: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const given = await parseArguments(words);
  return Object.fromEntries(
    given.map(({ key, value }) => {
      if (value.kind === 'text') return [key, value.text];
      return [key, typeof value.json === 'string' ? value.json : JSON.stringify(value.json)];
    }),
  );
}
