// Variables in an entry: `${VAR}` and `${VAR:-default}` in the fields that say so in their rows. As in a shell, the default also stands in for an empty variable. `$${` stands for a
// literal `${`. What a variable holds is never expanded again, and a placeholder that cannot be
// expanded is a problem, never text that is passed on. `${secret:NAME}` is left as a mark.

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
  /** A NUL, as written or as the value of a variable: it could pass for the mark of a secret. */
  | { readonly kind: 'nul'; readonly path: FieldPath };

/** The entry with every variable filled in, or all the reasons why that is not possible. */
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

/** True where expansion would change a text, or complain of it. */
function needsWork(text: string): boolean {
  return hasPlaceholder(text) || text.includes('\0');
}

/** True where a text holds something that expansion would act on. */
export function hasPlaceholder(text: string): boolean {
  return text.includes('${');
}

/** What the placeholders in a text name: `NAME`, `secret:NAME`. */
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
