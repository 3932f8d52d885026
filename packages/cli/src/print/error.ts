// The common form of all errors: what happened, where, and what to do.

import type { Json, JsonObject } from '@plugboard/base';
import type { ArgumentIssue, Denial, NeededRule } from '@plugboard/host';
import type { Context } from '../context.ts';
import type { Output } from '../terminal.ts';
import { printJson } from './json.ts';
import { paint } from './paint.ts';
import { oneLine, sanitise } from './sanitise.ts';

export interface ShownError {
  /** A stable identifier for programs. */
  readonly kind: string;
  readonly message: string;
  readonly where?: string | undefined;
  /** `undefined` if the user needs no advice, such as after stopping the command. */
  readonly fix?: string | undefined;
  /** Lines that help to find the cause, such as the last output of a server. */
  readonly details?: readonly string[];
  /** For programs: who denied a call, and which rules would have allowed it. */
  readonly by?: Denial;
  readonly needs?: readonly NeededRule[];
  /** For programs: the problems of a call's arguments, and the schema of the tool. */
  readonly issues?: readonly ArgumentIssue[];
  readonly schema?: JsonObject;
  /** For programs: the error response of a server. */
  readonly rpc?: { readonly code: number; readonly message: string; readonly data?: Json };
}

/** What is wrong with a server. The message continues a sentence that begins with its name. */
export type ServerProblem = Pick<ShownError, 'message' | 'fix' | 'details'>;

const COLOURS = { error: 'red', warning: 'yellow' } as const;

export function printError(context: Context, error: ShownError): void {
  if (context.isJson && context.json === 'events') printJson(context, { kind: 'error', error });
  else if (context.isJson) printJson(context, { error });
  else writeError(context.terminal.err, error);
}

export function writeError(
  output: Output,
  { message, where, details = [], fix }: ShownError,
  severity: 'error' | 'warning' = 'error',
): void {
  const lines = details.flatMap((detail) => sanitise(detail).split('\n'));
  const text = [
    // On one line, so that text from a server cannot look like an error of the command.
    `${paint(output, COLOURS[severity], `${severity}:`)} ${oneLine(message)}`,
    ...(where === undefined ? [] : [`  at:  ${oneLine(where)}`]),
    ...lines.map((line) => `  ${paint(output, 'dim', `| ${line}`)}`),
    ...(fix === undefined ? [] : [`  ${paint(output, 'bold', 'fix:')} ${oneLine(fix)}`]),
  ];
  output.write(`${text.join('\n')}\n`);
}
