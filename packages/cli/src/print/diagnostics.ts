// What is wrong with the configuration, for people.

import type { Diagnostic } from '@plugboard/host';
import type { Context } from '../context.ts';
import { paint } from './paint.ts';
import { shortPath } from './place.ts';
import { sanitise } from './sanitise.ts';

export function printDiagnostics(
  { terminal }: Context,
  diagnostics: readonly Diagnostic[],
  cwd: string,
): void {
  for (const { severity, message, suggestion, file, line, column } of diagnostics) {
    const word = paint(terminal, severity === 'error' ? 'red' : 'yellow', `${severity}:`);
    const at = line === 0 ? shortPath(file, cwd) : `${shortPath(file, cwd)}:${line}:${column}`;
    terminal.err(`${word} ${sanitise(message)}\n  at:  ${at}\n  fix: ${sanitise(suggestion)}\n`);
  }
}
