// The signature of a chunk: the words that tell what it is about and what it is part of, in the order that the embedded
// model was trained on. Pure; its length is bounded for any chunk.

import type { Chunk } from './chunk.ts';
import { splitIdentifier } from './identifiers.ts';
import { languageOf } from './languages/language-of.ts';
import { readWords } from './source-words.ts';

export interface ChunkOfFile {
  readonly path: string;
  readonly text: string;
  /** The first comments of the file; see `headOf`. */
  readonly head: string;
  readonly chunk: Pick<Chunk, 'start' | 'end' | 'names' | 'symbol'>;
}

const PATH_PARTS = 3;
const MOST_OF_NAMES = 160;
const MOST_OF_COMMENTS = 240;
const MOST_OF_IDENTIFIERS = 300;
const MOST_OF_PARENTS = 80;
const MOST_OF_HEAD = 100;
/** The top of a file, in characters; comments below it are about parts of the file. */
const TOP = 3000;

/** The first words of a file's comments, which often describe the whole file. */
export function headOf(path: string, text: string): string {
  const { comments } = readWords(text.slice(0, TOP), {
    language: languageOf(path),
    leaveOut: new Set(),
    mostOfComments: MOST_OF_HEAD,
    mostOfIdentifiers: 0,
  });
  return comments;
}

/**
 * The words of the path, the enclosing names, the declared names, comments, other identifiers, and the head of the file
 * unless it is in the chunk itself; empty parts are left out.
 */
export function signatureOf({ path, text, head, chunk }: ChunkOfFile): string {
  const declared = declaredNames(chunk);
  const { comments, identifiers } = readWords(text.slice(chunk.start, chunk.end), {
    language: languageOf(path),
    leaveOut: new Set(declared),
    mostOfComments: MOST_OF_COMMENTS,
    mostOfIdentifiers: MOST_OF_IDENTIFIERS,
  });
  const names = declared.map((name) => splitIdentifier(name).join(' ')).filter(Boolean);
  return [
    pathWords(path),
    bounded(parentsOf(chunk).flatMap(splitIdentifier).join(' '), MOST_OF_PARENTS),
    bounded(names.join(', '), MOST_OF_NAMES),
    comments,
    identifiers,
    chunk.start > 0 ? head : '',
  ]
    .filter((part) => part !== '')
    .join('. ');
}

function parentsOf({ symbol = '' }: ChunkOfFile['chunk']): readonly string[] {
  return symbol.split('.').slice(0, -1);
}

/** A piece of a large declaration declares nothing itself; it takes the name of the whole. */
function declaredNames({ names, symbol }: ChunkOfFile['chunk']): readonly string[] {
  if (names.length > 0 || symbol === undefined) return names;
  return [symbol.slice(symbol.lastIndexOf('.') + 1)];
}

function pathWords(path: string): string {
  const parts = path.split('/').slice(-PATH_PARTS);
  const last = parts.pop() ?? '';
  const dot = last.lastIndexOf('.');
  return [...parts, dot > 0 ? last.slice(0, dot) : last].flatMap(splitIdentifier).join(' ');
}

function bounded(words: string, most: number): string {
  if (words.length <= most) return words;
  const space = words.lastIndexOf(' ', most);
  return words.slice(0, space > 0 ? space : most).replace(/[\s,]+$/, '');
}
