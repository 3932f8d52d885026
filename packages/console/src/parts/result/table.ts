// Turns a list of flat objects into a table. Pure.

import { isObject, type Json, type JsonObject } from '@plugboard/base';

export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The number of rows that are left out. */
  readonly hidden: number;
}

const MOST_COLUMNS = 24;
const MOST_ROWS = 500;
const LONGEST_CELL = 2000;

/** Accepts a list of flat objects, or an object with such a list as its only property. `undefined` for anything else. */
export function tableOf(value: Json): Table | undefined {
  const list = Array.isArray(value) ? (value as readonly Json[]) : onlyListIn(value);
  if (list === undefined || list.length === 0) return undefined;
  const shown = list.slice(0, MOST_ROWS);
  const columns = new Set<string>();
  for (const row of shown) {
    if (!isFlat(row)) return undefined;
    for (const key of Object.keys(row)) columns.add(key);
    if (columns.size > MOST_COLUMNS) return undefined;
  }
  if (columns.size === 0) return undefined;
  const rows = (shown as readonly JsonObject[]).map((row) =>
    [...columns].map((column) => (Object.hasOwn(row, column) ? cell(row[column] ?? null) : '')),
  );
  return { columns: [...columns], rows, hidden: list.length - rows.length };
}

function onlyListIn(value: Json): readonly Json[] | undefined {
  if (!isObject(value)) return undefined;
  const members = Object.values(value);
  return members.length === 1 && Array.isArray(members[0])
    ? (members[0] as readonly Json[])
    : undefined;
}

function isFlat(row: Json): row is JsonObject {
  return (
    isObject(row) && Object.values(row).every((one) => one === null || typeof one !== 'object')
  );
}

function cell(value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > LONGEST_CELL ? `${text.slice(0, LONGEST_CELL)}…` : text;
}
