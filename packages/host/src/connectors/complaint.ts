// What is wrong with a connector or its answer, as a diagnostic at the place where the connector is
// configured: an answer has no lines that anyone could look at.

import type { Diagnostic } from '../config/index.ts';
import type { ConnectorSettings } from './connector-settings.ts';

export type Complaint = Pick<Diagnostic, 'severity' | 'code' | 'message' | 'suggestion' | 'server'>;

export function complain({ origin }: ConnectorSettings, complaint: Complaint): Diagnostic {
  const { file, line, column } =
    origin.kind === 'file' ? origin : { file: `(${origin.by})`, line: 0, column: 0 };
  return { ...complaint, file, line, column };
}
