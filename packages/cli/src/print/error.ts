// One error, said the same way everywhere: what happened, where, and what to do about it.

import type { Context } from '../context.ts';
import { printJson } from './json.ts';
import { paint } from './paint.ts';
import { sanitise } from './sanitise.ts';

export interface ShownError {
  /** A stable word for programs. */
  readonly kind: string;
  readonly message: string;
  readonly where?: string | undefined;
  readonly fix: string;
  /** Lines that help to find the cause, such as a server's last words. */
  readonly details?: readonly string[];
}

export function printError(context: Context, error: ShownError): void {
  if (context.isJson) printJson(context, { error });
  else context.terminal.err(errorText(context, error));
}

export function errorText({ terminal }: Context, error: ShownError): string {
  const { message, where, details = [], fix } = error;
  return [
    `${paint(terminal, 'red', 'error:')} ${sanitise(message)}`,
    ...(where === undefined ? [] : [`  at:  ${where}`]),
    ...details.map((line) => `  ${paint(terminal, 'dim', `| ${sanitise(line)}`)}`),
    `  ${paint(terminal, 'bold', 'fix:')} ${sanitise(fix)}`,
    '',
  ].join('\n');
}
