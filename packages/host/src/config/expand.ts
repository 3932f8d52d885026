// Variables in an entry: `${VAR}` and `${VAR:-default}` in command, args, env, cwd, url and
// headers. As in a shell, the default also stands in for an empty variable. `$${` stands for a
// literal `${`. What a variable holds is never expanded again, and a placeholder that cannot be
// expanded is a problem, never text that is passed on.

import { err, ok, type Result } from '@plugboard/base';
import type { FieldPath } from './field-path.ts';
import type { ServerEntry } from './server-entry.ts';

/** The value of a variable, or undefined where it is not set. */
export type Lookup = (variable: string) => string | undefined;

export type ExpansionProblem =
  | { readonly kind: 'unset'; readonly variable: string; readonly path: FieldPath }
  | { readonly kind: 'malformed'; readonly path: FieldPath };

/** The entry with every variable filled in, or all the reasons why that is not possible. */
export function expandEntry(
  entry: ServerEntry,
  lookup: Lookup,
): Result<ServerEntry, readonly ExpansionProblem[]> {
  const problems: ExpansionProblem[] = [];
  const text = (value: string, ...path: FieldPath): string =>
    expandText({ text: value, lookup, path, problems });
  const texts = (values: Readonly<Record<string, string>>, field: string) =>
    Object.fromEntries(
      Object.entries(values).map(([key, value]) => [key, text(value, field, key)]),
    );
  const expanded = expandFields(entry, { text, texts });
  return problems.length === 0 ? ok(expanded) : err(problems);
}

/** True where a text holds something that expansion would act on. */
export function hasPlaceholder(text: string): boolean {
  return text.includes('${');
}

interface Expanders {
  readonly text: (value: string, ...path: FieldPath) => string;
  readonly texts: (
    values: Readonly<Record<string, string>>,
    field: string,
  ) => Readonly<Record<string, string>>;
}

function expandFields(entry: ServerEntry, { text, texts }: Expanders): ServerEntry {
  switch (entry.kind) {
    case 'stdio':
      return {
        ...entry,
        command: text(entry.command, 'command'),
        args: entry.args.map((argument, index) => text(argument, 'args', index)),
        env: texts(entry.env, 'env'),
        ...(entry.cwd === undefined ? {} : { cwd: text(entry.cwd, 'cwd') }),
      };
    case 'http':
    case 'sse':
    case 'ws':
    case 'http-or-sse':
      return {
        ...entry,
        url: text(entry.url, 'url'),
        headers: texts(entry.headers, 'headers'),
      };
    case 'sdk':
      return entry;
    default:
      return entry satisfies never;
  }
}

function expandText(options: {
  readonly text: string;
  readonly lookup: Lookup;
  readonly path: FieldPath;
  readonly problems: ExpansionProblem[];
}): string {
  const { text, lookup, path, problems } = options;
  return text.replaceAll(PLACEHOLDER, (found: string, body?: string, close?: string) => {
    if (found === '$${') return '${';
    const parts = close === '}' ? BODY.exec(body ?? '') : null;
    const [, variable, fallback] = parts ?? [];
    if (variable === undefined || (fallback !== undefined && hasPlaceholder(fallback))) {
      problems.push({ kind: 'malformed', path });
      return '';
    }
    const value = lookup(variable);
    if (fallback !== undefined) return value === undefined || value === '' ? fallback : value;
    if (value === undefined) problems.push({ kind: 'unset', variable, path });
    return value ?? '';
  });
}

const PLACEHOLDER = /\$\$\{|\$\{([^}]*)(\}?)/g;
const BODY = /^([A-Za-z_][A-Za-z0-9_]*)(?::-([\s\S]*))?$/;
