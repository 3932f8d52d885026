// One server in the text of a TOML file: a table at its end, or in place of the one that is there. No library keeps
// comments and order, so lines are replaced, and what comes of it is read again: a text that then says anything else
// than it should is not used.

import { canonicalJson, err, isObject, type Json, ok, type Result } from '@plugboard/base';
import type { EntryEdit, EntryText } from './entry-text.ts';

export async function editToml(
  text: string,
  { way, name, value }: EntryEdit,
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
  const path = [...way, name];
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

/** The lines of a table and of those below it, up to what belongs to the next one. */
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
  // Comments and empty lines above the next table are its own.
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
  // At the end, the empty line goes that was put above it.
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

/** A table without anything in it may be written or not. */
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
