// The problems of the configuration, for people.

import type { Diagnostic } from '@plugboard/host/configuration';
import type { Output } from '../terminal.ts';
import { type ShownError, writeError } from './error.ts';
import { diagnosticPlace, type Standpoint } from './place.ts';

export function writeDiagnostics(
  output: Output,
  diagnostics: readonly Diagnostic[],
  from: Standpoint,
): void {
  for (const diagnostic of diagnostics) {
    writeError(output, diagnosticError(diagnostic, from), diagnostic.severity);
  }
}

/** A diagnostic as a notice on a screen. */
export function diagnosticNotice(diagnostic: Diagnostic, from: Standpoint): DiagnosticNotice {
  const { message, where, fix } = diagnosticError(diagnostic, from);
  const text = where === undefined ? message : `${where}: ${message}`;
  return { level: diagnostic.severity, text, fix };
}

export interface DiagnosticNotice {
  readonly level: Diagnostic['severity'];
  readonly text: string;
  readonly fix: string | undefined;
}

function diagnosticError(diagnostic: Diagnostic, from: Standpoint): ShownError {
  const { code, message, suggestion, server } = diagnostic;
  const isNamed = server === undefined || message.includes(`"${server}"`);
  return {
    kind: code,
    message: isNamed ? clause(message) : `server "${server}": ${clause(message)}`,
    where: diagnosticPlace(diagnostic, from),
    fix: clause(suggestion),
  };
}

/** A sentence for use after `error:` or `fix:`: without a capital letter and without a full stop. */
export function clause(sentence: string): string {
  const open = /[^.]\.$/.test(sentence) ? sentence.slice(0, -1) : sentence;
  return /^[A-Z][a-z ]/.test(open) ? open.charAt(0).toLowerCase() + open.slice(1) : open;
}
