// Finds the uses of symbols by means of language servers, if the user has named one for the language. Results are checked
// against the current files: a line that lacks the name, or whose file is not indexed, is left out.

import { basename } from 'node:path';
import type { FoundPlace } from '../../language-server/index.ts';
import type { FoundSymbol, SymbolIndex, SymbolUse } from '../../symbols/index.ts';
import type { SourceLines } from './source-lines.ts';
import type { ToolCall } from './tool.ts';

export type ServedReferences =
  | { readonly kind: 'found'; readonly by: string; readonly places: readonly ServedPlace[] }
  | { readonly kind: 'failed'; readonly by: string; readonly reason: string };

interface ServedPlace extends FoundPlace {
  /** The name is followed by what looks like the arguments of a call. */
  readonly isCall: boolean;
}

/** Each definition needs its own request. */
const MOST_DEFINITIONS = 5;

/** `undefined` if a definition has no language server, or there are too many definitions. */
export async function servedReferences(
  definitions: readonly FoundSymbol[],
  { parts, source, signal }: Pick<ToolCall, 'parts' | 'signal'> & { readonly source: SourceLines },
): Promise<ServedReferences | undefined> {
  const commands = definitions.map(({ file }) => parts.languageServers.commandFor(file));
  if (definitions.length > MOST_DEFINITIONS || commands.some((command) => command === undefined)) {
    return undefined;
  }
  const by = [...new Set(commands.map((command) => basename(command?.[0] ?? '')))].join(', ');
  const found = new Map<string, ServedPlace>();
  for (const { file, line, name } of definitions) {
    const lines = await source.of(file);
    const column = columnOf(name, lines[line - 1] ?? '');
    if (column === undefined) return { kind: 'failed', by, reason: `${file} has just changed` };
    const place = { path: file, line: line - 1, column, text: lines.join('\n') };
    const answer = await parts.languageServers.references(place, signal);
    if (!answer.ok) return { kind: 'failed', by, reason: answer.error };
    for (const one of answer.value) {
      const text = (await source.of(one.path))[one.line - 1] ?? '';
      const at = columnOf(name, text);
      if (at === undefined) continue;
      const isCall = /^\s*[(<]/.test(text.slice(at + name.length));
      found.set(`${one.path}:${one.line}`, { ...one, isCall });
    }
  }
  return { kind: 'found', by, places: [...found.values()] };
}

/** The uses at these places, with the facts from the index; places in files that are not indexed are left out. */
export function usesAt(
  places: readonly ServedPlace[],
  named: readonly SymbolUse[],
  index: Pick<SymbolIndex, 'definitionsOf'>,
): readonly SymbolUse[] {
  const byPlace = new Map(named.map((use) => [`${use.file}:${use.line}`, use]));
  const files = new Set(places.map(({ path }) => path));
  const known = new Set([...files].filter((path) => index.definitionsOf(path) !== undefined));
  return places
    .filter(({ path }) => known.has(path))
    .map(
      ({ path, line, isCall }): SymbolUse =>
        byPlace.get(`${path}:${line}`) ?? {
          file: path,
          line,
          kind: 'bare',
          isCall,
          isAssigned: false,
          isTest: false,
        },
    );
}

export function servedNote(served: ServedReferences | undefined): readonly string[] {
  if (served === undefined) return [];
  return served.kind === 'found'
    ? [`As ${served.by} says.`]
    : [`${served.by} was not of use (${served.reason}); names are compared instead.`];
}

/** The position of a name as a whole word in a line. */
function columnOf(name: string, line: string): number | undefined {
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + 1)) {
    const around = [line[at - 1] ?? ' ', line[at + name.length] ?? ' '];
    if (!around.some((letter) => /[\p{L}\p{N}_$]/u.test(letter))) return at;
  }
  return undefined;
}
