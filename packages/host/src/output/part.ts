// The parts a result is made of, as a reader gets them: a model, a terminal, a program. A note and a
// file are from the host, all others from the server.

import type { Json } from '@plugboard/base';

export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'image';
      readonly data: string;
      readonly mimeType: string;
      /** As the server sent it, where `data` is a smaller one. */
      readonly file?: SavedFile;
    }
  | {
      readonly kind: 'audio';
      readonly data: string;
      readonly mimeType: string;
      readonly file?: SavedFile;
    }
  | {
      readonly kind: 'resource';
      readonly uri: string;
      readonly mimeType: string | undefined;
      readonly body: { readonly kind: 'text'; readonly text: string } | Blob64;
      readonly file?: SavedFile;
    }
  | {
      readonly kind: 'link';
      readonly uri: string;
      readonly name: string;
      readonly mimeType: string | undefined;
    }
  | {
      readonly kind: 'structured';
      readonly value: Json;
      /** In what it is not what the tool's output schema promises. Absent where it is. */
      readonly problems?: readonly StructuredProblem[];
    }
  /** What the host has to say about the result; `file` has all of it, where it was cut. */
  | { readonly kind: 'note'; readonly text: string; readonly file?: SavedFile }
  /** In place of a part that is too large, or that no model could read. */
  | { readonly kind: 'file'; readonly file: SavedFile; readonly about: string };

export interface StructuredProblem {
  /** A JSON pointer into the value; empty for all of it. */
  readonly path: string;
  readonly message: string;
}

/** A file of this user alone, kept for a day. */
export interface SavedFile {
  /** For `host.results`. */
  readonly id: string;
  readonly path: string;
  readonly bytes: number;
  readonly mimeType: string;
}

interface Blob64 {
  readonly kind: 'blob';
  /** Base64. */
  readonly data: string;
}
