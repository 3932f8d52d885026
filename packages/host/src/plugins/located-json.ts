// Reads a JSON file and locates each of its parts, for files that are not settings: manifests and stored
// answers. What the parts mean is left to the caller.

import { getNodeValue } from '#jsonc-parser';
import type { Node } from 'jsonc-parser';
import {
  type Diagnostic,
  type FieldPath,
  fileDiagnostic,
  MAX_DEPTH,
  MAX_FILE_BYTES,
  parseDocument,
  placesIn,
  placesOf,
  type Position,
  syntaxMessage,
} from '../config/index.ts';
import { readTextFile } from '../platform/index.ts';

export interface LocatedJson {
  readonly text: string;
  readonly root: Node;
  readonly value: unknown;
  readonly keyAt: (path: FieldPath) => Position;
  readonly valueAt: (path: FieldPath) => Position;
}

export type ReadJson =
  | { readonly kind: 'missing' }
  | { readonly kind: 'invalid'; readonly diagnostic: Diagnostic }
  | ({ readonly kind: 'read' } & LocatedJson);

/** `shownAs`: the path for messages, if the file will be moved. Never throws. */
export async function readLocatedJson(path: string, shownAs: string = path): Promise<ReadJson> {
  const read = await readTextFile(path, { maxBytes: MAX_FILE_BYTES });
  if (!read.ok) {
    if (read.error.kind === 'missing') return { kind: 'missing' };
    const diagnostic = { ...fileDiagnostic(read.error), file: shownAs };
    return { kind: 'invalid', diagnostic };
  }
  return locateJson(read.value, shownAs);
}

function locateJson(text: string, file: string): ReadJson {
  const document = parseDocument(text);
  const placeOf = placesOf(text);
  const at = (offset: number): Position => ({ file, ...placeOf(offset) });
  const invalid = (offset: number, words: Pick<Diagnostic, 'message' | 'suggestion'>): ReadJson => {
    const diagnostic = { severity: 'error', code: 'syntax', ...words, ...at(offset) } as const;
    return { kind: 'invalid', diagnostic };
  };
  if (document.kind === 'too-deep') {
    const message = `The file is nested more than ${MAX_DEPTH} levels deep.`;
    return invalid(document.offset, { message, suggestion: 'Check that this is the right file.' });
  }
  const root = document.kind === 'tree' ? document.root : undefined;
  const problem = document.kind === 'tree' ? document.problems[0] : undefined;
  if (problem !== undefined) return invalid(problem.offset, syntaxMessage(problem.kind));
  if (root === undefined) {
    const message = 'The file is empty.';
    return invalid(0, { message, suggestion: 'Check that this is the right file.' });
  }
  const start = { name: '', node: root, key: root, value: root };
  return {
    kind: 'read',
    text,
    root,
    value: getNodeValue(root) as unknown,
    ...placesIn(start, at),
  };
}
