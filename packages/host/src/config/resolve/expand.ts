// Expands variables in an entry: `${VAR}` and `${VAR:-default}`, in the fields whose rows allow it. As in a
// shell, the default also replaces an empty variable. `$${` is a literal `${`. The value of a variable is
// never expanded again, and a placeholder that cannot be expanded is a problem and is never passed on as
// text. `${secret:NAME}` becomes a mark.

import { err, ok, type Result } from '@plugboard/base';
import type { ServerEntry } from '../fields/index.ts';
import type { FieldPath } from '../text/index.ts';
import { type PlaceholderKind, withTexts } from './entry-texts.ts';
import { markOf, SECRET_NAME } from './secret-marks.ts';

/** The value of a variable, or undefined if it is not set. */
export type Lookup = (variable: string) => string | undefined;

export type ExpansionProblem =
  | { readonly kind: 'unset'; readonly variable: string; readonly path: FieldPath }
  | { readonly kind: 'malformed'; readonly path: FieldPath }
  /** A NUL in the text or in the value of a variable: it could be mistaken for the mark of a secret. */
  | { readonly kind: 'nul'; readonly path: FieldPath };

/** Fills in every variable of an entry, or returns all problems. */
export function expandEntry(
  entry: ServerEntry,
  lookup: Lookup,
): Result<ServerEntry, readonly ExpansionProblem[]> {
  const problems: ExpansionProblem[] = [];
  const expanded = withTexts(entry, needsWork, (text, fills, path) =>
    expandText({ text, lookup, path, problems, fills }),
  );
  return problems.length === 0 ? ok(expanded) : err(problems);
}

/** Whether expansion would change a text or report a problem. */
function needsWork(text: string): boolean {
  return hasPlaceholder(text) || text.includes('\0');
}

/** Whether a text contains the beginning of a placeholder. */
export function hasPlaceholder(text: string): boolean {
  return text.includes('${');
}

/** The names in the placeholders of a text: `NAME`, `secret:NAME`. */
export function namesIn(text: string): readonly string[] {
  return [...text.matchAll(PLACEHOLDER)].flatMap(([found, body = '']) =>
    found === '$${' ? [] : [body.replace(/:-[\s\S]*$/, '')],
  );
}

interface Expansion {
  readonly text: string;
  readonly lookup: Lookup;
  readonly path: FieldPath;
  readonly problems: ExpansionProblem[];
  readonly fills: PlaceholderKind;
}

function expandText({ text, lookup, path, problems, fills }: Expansion): string {
  if (!needsWork(text)) return text;
  if (text.includes('\0')) problems.push({ kind: 'nul', path });
  return text.replaceAll(PLACEHOLDER, (found: string, body?: string, close?: string) => {
    if (found === '$${') return '${';
    const inner = close === '}' ? (body ?? '') : '';
    const secret = SECRET.exec(inner)?.[1];
    if (secret !== undefined && fills === 'secrets') return markOf(secret);
    const parts = BODY.exec(inner);
    const variable = parts?.[1];
    const fallback = parts?.[2];
    if (variable === undefined || (fallback !== undefined && hasPlaceholder(fallback))) {
      problems.push({ kind: 'malformed', path });
      return '';
    }
    const value = lookup(variable);
    if (value?.includes('\0') === true) problems.push({ kind: 'nul', path });
    if (fallback !== undefined) return value === undefined || value === '' ? fallback : value;
    if (value === undefined) problems.push({ kind: 'unset', variable, path });
    return value ?? '';
  });
}

const PLACEHOLDER = /\$\$\{|\$\{([^}]*)(\}?)/g;
const BODY = /^([A-Za-z_][A-Za-z0-9_]*)(?::-([\s\S]*))?$/;
const SECRET = new RegExp(`^secret:(${SECRET_NAME})$`);
