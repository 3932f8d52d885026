// What a check of arguments says.

import type { JsonObject } from '@plugboard/base';

export interface ArgumentIssue {
  /** A JSON pointer into the arguments; empty for the arguments as a whole. */
  readonly path: string;
  readonly message: string;
}

export type ArgumentCheck = (given: JsonObject) => readonly ArgumentIssue[];

/** The path of one argument. https://www.rfc-editor.org/rfc/rfc6901#section-3 */
export function pointerTo(key: string): string {
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
