// Adds, replaces or removes one server in the text of a TOML file, as a table at its end or in place of the
// existing one. No library preserves comments and order, so lines are replaced, and the result is parsed
// again: a text with any other content than expected is not used.

import { canonicalJson, err, isObject, type Json, ok, type Result } from '@plugboard/base';
import type { EntryEdit, EntryText } from './entry-text.ts';

export async function editToml(
  text: string,
  { path: mapPath, name, value }: EntryEdit,
): Promise<Result<EntryText, 'invalid' | 'not-a-table'>> {
  const { parse, stringify } = await import('smol-toml');
  const read = (source: string): Result<unknown, 'invalid'> => {
    try {
      return ok(parse(source));
    } catch {
      return err('invalid');
    }
  };
  const old = read(text);
  if (!old.ok) return old;
  const path = [...mapPath, name];
  const before = path.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), old.value);
  if (value === undefined && before === undefined) return ok({ text, before });
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const table =
    value === undefined
      ? ''
      : stringify(nested(path, value))
          .replace(/^(?:\[[^\]\n]*\]\n\n?)*(?=\[)/, '')
          .replaceAll('\n', eol);
  const edited =
    before === undefined
      ? appended(text, table, eol)
      : replaced(text, path.join('.'), table.trimEnd());
  const next = edited === undefined ? err('invalid') : read(edited);
  const wanted = withValue(old.value, path, value);
  if (edited === undefined || !next.ok || !isSame(next.value, wanted)) return err('not-a-table');
  return ok({ text: edited, before });
}

function appended(text: string, table: string, eol: string): string {
  if (text.trim() === '') return table.endsWith(eol) ? table : `${table}${eol}`;
  const gap = text.endsWith(eol) ? eol : `${eol}${eol}`;
  return `${text}${gap}${table.trimEnd()}${eol}`;
}

/** Replaces the lines of a table and of its subtables, up to the lines that belong to the next table. */
function replaced(text: string, path: string, table: string): string | undefined {
  const lines = text.split(/(?<=\n)/);
  const titleOf = (line: string): string | undefined =>
    /^\s*\[\[?([^\]]*)\]/.exec(line)?.[1]?.replaceAll(/["'\s]/g, '');
  const isOurs = (line: string): boolean => {
    const title = titleOf(line);
    return title === path || title?.startsWith(`${path}.`) === true;
  };
  const start = lines.findIndex(isOurs);
  if (start === -1) return undefined;
  let end = start + 1;
  while (
    end < lines.length &&
    (titleOf(lines[end] ?? '') === undefined || isOurs(lines[end] ?? ''))
  ) {
    end += 1;
  }
  // Comments and empty lines above the next table belong to it.
  while (
    end < lines.length &&
    end > start + 1 &&
    /^\s*(?:#.*)?$/.test(lines[end - 1]?.trimEnd() ?? '')
  ) {
    end -= 1;
  }
  const [head, tail] = [lines.slice(0, start).join(''), lines.slice(end).join('')];
  const eol = lines[start]?.endsWith('\r\n') === true ? '\r\n' : '\n';
  if (table !== '') return `${head}${table}${eol}${tail}`;
  // At the end of the text, also remove the empty line that was added above the table.
  return tail.trim() === ''
    ? `${head.replace(/(?<=\n)\r?\n$/, '')}${tail}`
    : head + tail.replace(/^(?:\r?\n)+/, '');
}

function nested(path: readonly string[], value: unknown): Record<string, unknown> {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Record<
    string,
    unknown
  >;
}

function withValue(root: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const object = isObject(root) ? root : {};
  const inner = withValue(object[key], rest, value);
  const { [key]: _, ...others } = object;
  const isGone = inner === undefined || (rest.length > 0 && isEmpty(inner) && value === undefined);
  return isGone ? others : { ...others, [key]: inner };
}

/** Compares two documents, ignoring empty tables. */
function isSame(a: unknown, b: unknown): boolean {
  return canonicalJson(withoutEmpty(a)) === canonicalJson(withoutEmpty(b));
}

function withoutEmpty(value: unknown): Json {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isObject(value)) return value as Json;
  const entries = Object.entries(value).filter(([, inner]) => !isEmpty(inner));
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutEmpty(inner)]));
}

function isEmpty(value: unknown): boolean {
  return isObject(value) && !(value instanceof Date) && Object.keys(value).length === 0;
}
