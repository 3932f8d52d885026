// Parses names as people write them: `save`, `Model.save`, `http.Server/listen`, `models::Model#save`,
// `src/model.ts/Model.save`. The last part is the name of the symbol; the parts before it are enclosing symbols, folders
// and files. Also decides which uses can belong to a symbol. Pure.

import {
  kindsWhere,
  type LanguageName,
  languageOf,
  type SymbolDefinition,
  type UseKind,
} from '../chunk/index.ts';

export interface NamePath {
  readonly name: string;
  /** The preceding parts, the outermost first. */
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

/** Whether all parts before the name occur, in order, in the path of the file and the names around the symbol. */
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

const MEMBERS = kindsWhere((facts) => facts.isMember === true);

/** Whether a symbol is accessed through a value. */
export function isMember({ kind, path }: Pick<SymbolDefinition, 'kind' | 'path'>): boolean {
  return MEMBERS.has(kind) && path.includes('.');
}

/** Languages in which a member can be used by its bare name: methods within their class, columns in a query. */
const IMPLICIT_THIS: ReadonlySet<string> = new Set<LanguageName>([
  'c',
  'cpp',
  'csharp',
  'dart',
  'java',
  'kotlin',
  'ruby',
  'scala',
  'solidity',
  'sql',
  'swift',
]);
/** Languages in which members of a module look like members of a value: `shop.orders`. */
const DOTTED_MODULES: ReadonlySet<string> = new Set<LanguageName>(['sql']);

/** Whether a use of a name can refer to the symbol, by its kind. */
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
  // `models.save` is the function of the module, if there is one.
  if (kind === 'qualified') return modules === 'none';
  return kind === 'member' || definition.kind === 'property';
}

export interface UsePlace {
  readonly file: string;
  /** `named` if a symbol with this name belongs to a module. */
  readonly modules: 'named' | 'none';
}

const FAMILIES: Partial<Readonly<Record<LanguageName, string>>> = {
  astro: 'script',
  html: 'script',
  javascript: 'script',
  svelte: 'script',
  tsx: 'script',
  typescript: 'script',
  vue: 'script',
  c: 'c',
  cpp: 'c',
  'objective-c': 'c',
  groovy: 'jvm',
  java: 'jvm',
  kotlin: 'jvm',
  scala: 'jvm',
};

/** Files of different families do not use each other's names. */
export function familyOf(file: string): string {
  const language = languageOf(file) ?? 'text';
  return FAMILIES[language] ?? language;
}
