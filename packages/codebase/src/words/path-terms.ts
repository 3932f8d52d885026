// The words of a path: the names of a file and its folders tell in a word or two what the code is for.

import { termsOf, identifierWords } from './terms.ts';

/** Files that stand for their folder. */
const STANDS_FOR_FOLDER = /^(?:index|mod|__init__|main|lib|init|package-info|doc)$/i;
/** Names that any folder may contain; they tell something only together with the name of the folder. */
const NAME_OF_ANY = /^(?:utils?|helpers?|types?|common|misc|shared|constants?)$/i;

/** The terms of the folders and of the name without its extension, with repetitions. */
export function pathTerms(path: string): readonly string[] {
  const { folders, stem } = readPath(path);
  return [...folders, stem].flatMap((part) => termsOf(part));
}

export interface PathWords {
  /**
   * The words of each name of the file. A file `index`, `mod` and so on has the name of its folder; `openapi/utils.py` has
   * the names `utils`, `openapi` and both together.
   */
  readonly names: readonly (readonly string[])[];
  /** The words of its folder. */
  readonly folder: readonly string[];
}

export function pathWords(path: string): PathWords {
  const { folders, stem } = readPath(path);
  const around = [...folders];
  const standsFor = STANDS_FOR_FOLDER.test(stem) ? around.pop() : undefined;
  const name = wordsIn(standsFor ?? stem);
  const folder = wordsIn(around.at(-1) ?? '');
  const isOfAny = NAME_OF_ANY.test(stem) && folder.length > 0;
  return { names: isOfAny ? [name, folder, [...folder, ...name]] : [name], folder };
}

function wordsIn(part: string): readonly string[] {
  return part.split(/[^\p{L}\p{N}_$]+/u).flatMap(identifierWords);
}

function readPath(path: string): { readonly folders: readonly string[]; readonly stem: string } {
  const folders = path.split('/');
  const name = folders.pop() ?? '';
  const dot = name.indexOf('.', 1);
  return { folders, stem: dot > 0 ? name.slice(0, dot) : name };
}
