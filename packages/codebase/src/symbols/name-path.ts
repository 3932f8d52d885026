// Names as people write them: `save`, `Model.save`, `http.Server/listen`, `models::Model#save`, `src/model.ts/Model.save`.
// The last part is the symbol's name; those before it are symbols around it, then folders and files. Pure.

import { languageOf, type SymbolDefinition, type UseKind } from '../chunk/index.ts';

export interface NamePath {
  readonly name: string;
  /** Outermost first. */
  readonly around: readonly string[];
}

const LONGEST = 400;

/** `undefined` if no name is left. */
export function parseNamePath(text: string): NamePath | undefined {
  const plain = text.slice(0, LONGEST).replace(/\(.*$|[`"'\s]/gs, '');
  const parts = plain.split(/::|->|[/.#]/).filter((part) => part !== '');
  const name = parts.pop();
  return name === undefined ? undefined : { name, around: parts };
}

/** Whether the parts around the name are around the symbol, the rest of them in its file's path, both in order. */
export function fitsAround(
  { around }: NamePath,
  definition: Pick<SymbolDefinition, 'path'>,
  file: string,
): boolean {
  const own = definition.path.split('.').slice(0, -1);
  const places = [...file.split(/[/.]/), ...own].map((part) => part.toLowerCase());
  let left = around.length;
  for (let at = places.length - 1; at >= 0 && left > 0; at -= 1) {
    if (places[at] === around[left - 1]?.toLowerCase()) left -= 1;
  }
  return left === 0;
}

const MEMBERS: ReadonlySet<string> = new Set(['method', 'property', 'constructor', 'event']);

/** Whether a symbol is reached through a value. */
export function isMember({ kind, path }: Pick<SymbolDefinition, 'kind' | 'path'>): boolean {
  return MEMBERS.has(kind) && path.includes('.');
}

/** Languages in which members go by their names alone: methods within their class, columns in a query. */
const IMPLICIT_THIS: ReadonlySet<string> = new Set([
  ...['java', 'kotlin', 'scala', 'csharp', 'c', 'cpp', 'swift', 'ruby', 'dart', 'solidity', 'sql'],
]);
/** Languages that write what is in a module as they write members: `shop.orders`. */
const DOTTED_MODULES: ReadonlySet<string> = new Set(['sql']);

/** Whether a use of a name can be one of the symbol, by how it stands in the code. */
export function canBeUseOf(
  definition: Pick<SymbolDefinition, 'kind' | 'path'>,
  kind: UseKind,
  { file, modules }: UsePlace,
): boolean {
  const language = languageOf(file) ?? '';
  if (!isMember(definition)) {
    return kind === 'bare' || kind === 'qualified' || DOTTED_MODULES.has(language);
  }
  if (kind === 'bare') return IMPLICIT_THIS.has(language);
  // `models.save` is the function of the module, where there is one.
  if (kind === 'qualified') return modules === 'none';
  return kind === 'member' || definition.kind === 'property';
}

export interface UsePlace {
  readonly file: string;
  /** Whether a symbol of this name is one of a module. */
  readonly modules: 'named' | 'none';
}

const FAMILIES: Readonly<Record<string, string>> = {
  ...{ typescript: 'script', tsx: 'script', javascript: 'script', vue: 'script', svelte: 'script' },
  ...{ astro: 'script', html: 'script', c: 'c', cpp: 'c', 'objective-c': 'c' },
  ...{ java: 'jvm', kotlin: 'jvm', scala: 'jvm', groovy: 'jvm' },
};

/** Files of two families do not use each other's names. */
export function familyOf(file: string): string {
  const language = languageOf(file) ?? 'text';
  return FAMILIES[language] ?? language;
}
