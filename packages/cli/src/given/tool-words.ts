// Which tool is meant: `SERVER TOOL` as two words, or as one, `SERVER/TOOL` as rules write it and `SERVER.TOOL` as tool
// search does. Names of servers contain neither sign; names of tools may. Pure.

import { UsageError } from '../usage-error.ts';

/** The words with the server and the tool apart. */
export function toolWords(words: readonly string[]): readonly string[] {
  const [first = '', ...rest] = words;
  const [, server, tool] = /^([^./]+)[./](.+)$/su.exec(first) ?? [];
  if (server === undefined || tool === undefined) return words;
  const called = /^[^(]+(?=\(.*\)$)/su.exec(tool);
  if (called !== null) {
    throw new UsageError(
      'arguments in parentheses are not understood',
      `write them as words or as one JSON object: plugboard call ${server} ${called[0]} KEY=VALUE`,
    );
  }
  return [server, tool, ...rest];
}
