// Formats a value as text with lists of objects as tables: the keys once, then a line for each object. The text contains the
// complete value and can be read back: ambiguous texts are quoted as JSON, nested values are JSON, and a missing key differs
// from null. The caller decides whether the table is worth it. Pure.

import { isObject, type Json } from '@plugboard/base';

/** The maximum depth of a table; deeper lists are JSON. */
const MAX_DEPTH = 5;
/** The maximum length of a list in which tables are searched. */
const MAX_ITEMS = 20;
const MAX_COLUMNS = 100;

type Layout =
  | { readonly kind: 'table'; readonly items: readonly Json[]; readonly keys: readonly string[] }
  | { readonly kind: 'fields'; readonly fields: readonly (readonly [string, Layout])[] }
  | { readonly kind: 'json'; readonly value: Json };

/** `undefined` if the value contains no list of objects that fits a table. */
export function tableText(value: Json): string | undefined {
  const layout = layoutOf(value, 0);
  if (layout.kind === 'json') return undefined;
  const lines = linesOf(layout, undefined);
  return [`[${noteOn(layout)}]`, ...lines].join('\n');
}

function layoutOf(value: Json, depth: number): Layout {
  const items = Array.isArray(value) ? (value as readonly Json[]) : undefined;
  const keys = items && keysOf(items);
  if (items !== undefined && keys !== undefined) return { kind: 'table', items, keys };
  const fields = (depth === MAX_DEPTH ? [] : stepsInto(value)).map(
    ([step, inner]) => [step, layoutOf(inner, depth + 1)] as const,
  );
  const hasTable = fields.some(([, { kind }]) => kind !== 'json');
  return hasTable ? { kind: 'fields', fields } : { kind: 'json', value };
}

/** The values inside, each with its path step: a key as in a JSON pointer, or an index in brackets. */
function stepsInto(value: Json): readonly (readonly [string, Json])[] {
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    return items.length > MAX_ITEMS ? [] : items.map((item, index) => [`[${index}]`, item]);
  }
  if (!isObject(value)) return [];
  return Object.entries(value).map(([key, inner]) => [escaped(key), inner]);
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1').replace(/^\[/, '~2');
}

/** The keys of all objects, in their order. `undefined` if a table would be mostly empty. */
function keysOf(items: readonly Json[]): readonly string[] | undefined {
  const keys = new Set<string>();
  let objects = 0;
  let values = 0;
  for (const item of items) {
    if (!isObject(item)) continue;
    objects += 1;
    for (const key of Object.keys(item)) {
      keys.add(key);
      values += 1;
    }
    if (keys.size > MAX_COLUMNS) return undefined;
  }
  const isList = objects >= 2 && objects * 4 >= items.length * 3;
  return isList && keys.size > 0 && values * 2 >= objects * keys.size ? [...keys] : undefined;
}

function linesOf(layout: Layout, path: string | undefined): readonly string[] {
  const label = path === undefined ? '' : `${labelText(path)}: `;
  switch (layout.kind) {
    case 'json':
      return [`${label}${JSON.stringify(layout.value)}`];
    case 'fields':
      return layout.fields.flatMap(([step, inner]) =>
        linesOf(inner, path === undefined ? step : `${path}/${step}`),
      );
    case 'table': {
      const { items, keys } = layout;
      const head = keys.map(cellText).join('|');
      return [`${label}${items.length} rows`, head, ...items.map((item) => rowText(item, keys))];
    }
    default:
      return layout satisfies never;
  }
}

function labelText(path: string): string {
  return /^[\w.$~/[\]-]+$/.test(path) ? path : JSON.stringify(path);
}

function rowText(item: Json, keys: readonly string[]): string {
  if (!isObject(item)) return `=${JSON.stringify(item)}`;
  return keys.map((key) => (Object.hasOwn(item, key) ? cellText(item[key] as Json) : '')).join('|');
}

function cellText(value: Json): string {
  return typeof value === 'string' && isPlain(value) ? value : JSON.stringify(value);
}

/** Texts that a strict or a lenient reader could take for something else. */
const NOT_PLAIN = /[|\p{Cc}\p{Cs}\u2028\u2029]|^["[{=\s]|\s$|^(?:true|false|null|undefined)$/iu;

function isPlain(text: string): boolean {
  // `Number` converts an empty text to 0, so it is not plain either.
  return Number.isNaN(Number(text)) && !NOT_PLAIN.test(text);
}

function noteOn(layout: Layout): string {
  const tables = tablesIn(layout);
  const hasOthers = tables.some(({ items }) => items.some((item) => !isObject(item)));
  const hasHoles = tables.some(({ items, keys }) =>
    items.some((item) => isObject(item) && Object.keys(item).length < keys.length),
  );
  return [
    'JSON with lists of objects as tables: a line of keys, then a line of values for each object, with | between them.',
    ...(hasHoles ? ['No value is a missing key.'] : []),
    ...(hasOthers ? ['= is before an item that is no object.'] : []),
  ].join(' ');
}

function tablesIn(layout: Layout): readonly Extract<Layout, { readonly kind: 'table' }>[] {
  if (layout.kind === 'table') return [layout];
  return layout.kind === 'json' ? [] : layout.fields.flatMap(([, inner]) => tablesIn(inner));
}
