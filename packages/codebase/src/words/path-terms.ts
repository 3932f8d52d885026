// The words of a path: the names of a file and its folders, which say in a word or two what the code is for.

import { termsOf, identifierWords } from './terms.ts';

/** Files that stand for their folder, in the languages that have such. */
const STANDS_FOR_FOLDER = /^(?:index|mod|__init__|main|lib|init|package-info|doc)$/i;
/** Names that every folder may have; only together with their folder's do they say what is in them. */
const NAME_OF_ANY = /^(?:utils?|helpers?|types?|common|misc|shared|constants?)$/i;

/** Terms of the folders and of the name without its ending, with repeats. */
export function pathTerms(path: string): readonly string[] {
  const { folders, stem } = readPath(path);
  return [...folders, stem].flatMap((part) => termsOf(part));
}

export interface PathWords {
  /**
   * Words of each name that the file goes by. It is its folder's, if it is `index`, `mod` and so on; `openapi/utils.py` goes
   * by `utils`, `openapi` and both.
   */
  readonly names: readonly (readonly string[])[];
  /** Words of the folder that it lies in. */
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
