// The result of checking arguments, and the message about values that are not allowed.

import type { JsonObject } from '@plugboard/base';

const SHOWN_VALUES = 30;
const SHOWN_LENGTH = 80;

export interface ArgumentIssue {
  /** A JSON pointer into the arguments; empty for the arguments as a whole. */
  readonly path: string;
  readonly message: string;
}

export type ArgumentCheck = (given: JsonObject) => readonly ArgumentIssue[];

/** Lists the allowed values, so that the model need not guess. They are text from the server. */
export function notAllowed(allowed: readonly unknown[]): string {
  const shown = allowed.slice(0, SHOWN_VALUES).map((value) => shorten(JSON.stringify(value)));
  const more = allowed.length - shown.length;
  const list = [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ');
  return `must be equal to one of the allowed values: ${list}`;
}

function shorten(text: string): string {
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}
