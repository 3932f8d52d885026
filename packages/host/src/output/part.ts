// The parts of a result, for a model, a terminal or a program. Notes and files are from the host, all other parts
// from the server.

import type { Json } from '@plugboard/base';

export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'image';
      readonly data: string;
      readonly mimeType: string;
      /** The original image, if `data` is a smaller one. */
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
      /** How the value violates the tool's output schema. Absent if it is valid. */
      readonly problems?: readonly StructuredProblem[];
    }
  /** A note of the host about the result; `file` has the complete result, if it was cut. */
  | { readonly kind: 'note'; readonly text: string; readonly file?: SavedFile }
  /** Replaces a part that is too large, or that no model can read. */
  | { readonly kind: 'file'; readonly file: SavedFile; readonly about: string };

export interface StructuredProblem {
  /** A JSON pointer into the value; empty for the whole value. */
  readonly path: string;
  readonly message: string;
}

/** A file that only this user can read, kept for a day. */
export interface SavedFile {
  /** The id for `host.results`. */
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
