// One thing that is wrong, said the same way everywhere: what happened, where, and what to do.

import type { Json, JsonObject } from '@plugboard/base';
import type { ArgumentIssue, Denial, NeededRule } from '@plugboard/host';
import type { Context } from '../context.ts';
import type { Output } from '../terminal.ts';
import { printJson } from './json.ts';
import { paint } from './paint.ts';
import { oneLine, sanitise } from './sanitise.ts';

export interface ShownError {
  /** A stable word for programs. */
  readonly kind: string;
  readonly message: string;
  readonly where?: string | undefined;
  /** `undefined` if the person needs no advice, such as when they stopped the command. */
  readonly fix?: string | undefined;
  /** Lines that help to find the cause, such as a server's last words. */
  readonly details?: readonly string[];
  /** For programs: who denied a call, and what would have let it run. */
  readonly by?: Denial;
  readonly needs?: readonly NeededRule[];
  /** For programs: what is wrong with the arguments of a call, and what the tool takes. */
  readonly issues?: readonly ArgumentIssue[];
  readonly schema?: JsonObject;
  /** For programs: the error that a server answered with. */
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
    // On one line: what a server says cannot pass for an error of ours.
    `${paint(output, COLOURS[severity], `${severity}:`)} ${oneLine(message)}`,
    ...(where === undefined ? [] : [`  at:  ${oneLine(where)}`]),
    ...lines.map((line) => `  ${paint(output, 'dim', `| ${line}`)}`),
    ...(fix === undefined ? [] : [`  ${paint(output, 'bold', 'fix:')} ${oneLine(fix)}`]),
  ];
  output.write(`${text.join('\n')}\n`);
}
