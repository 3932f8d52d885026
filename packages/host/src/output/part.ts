// The parts a result is made of, as a reader gets them: a model, a terminal, a program.

import type { Json } from '@plugboard/base';

export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly data: string; readonly mimeType: string }
  | { readonly kind: 'audio'; readonly data: string; readonly mimeType: string }
  | {
      readonly kind: 'resource';
      readonly uri: string;
      readonly mimeType: string | undefined;
      readonly body: { readonly kind: 'text'; readonly text: string } | Blob64;
    }
  | {
      readonly kind: 'link';
      readonly uri: string;
      readonly name: string;
      readonly mimeType: string | undefined;
    }
  | { readonly kind: 'structured'; readonly value: Json };

interface Blob64 {
  readonly kind: 'blob';
  /** Base64. */
  readonly data: string;
}
