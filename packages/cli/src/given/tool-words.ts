// Parses the name of a tool: two words, `SERVER TOOL`, or one word, `SERVER/TOOL` as in rules or `SERVER.TOOL` as in tool
// search. Names of servers contain neither sign; names of tools may. Pure.

import { UsageError } from '../usage-error.ts';

/** The words, with the server and the tool as separate words. */
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
