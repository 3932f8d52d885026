// Splits an entry into its slots, the smallest parts that another entry can override: one variable of `env`,
// one header, `timeout`. merge-claims.ts decides which statement of a slot counts.

import { isObject } from '@plugboard/base';
import { type EntryFields, FIELD_KEYS, rowOf } from '../fields/index.ts';
import type { FieldPath } from '../text/index.ts';

export interface Slot {
  readonly path: FieldPath;
  readonly value: unknown;
}

/** Fields whose keys are separate slots. */
const KEYED: ReadonlySet<string> = new Set(
  FIELD_KEYS.filter((key) => ['fields', 'map'].includes(rowOf(key).shape.form.kind)),
);

export function slotsOf(fields: EntryFields): readonly Slot[] {
  const slots: Slot[] = [];
  const all: Readonly<Record<string, unknown>> = fields;
  Object.keys(all).forEach((key) => {
    const value = all[key];
    if (KEYED.has(key) && isObject(value)) {
      Object.keys(value).forEach((name) => {
        if (value[name] !== undefined) slots.push({ path: [key, name], value: value[name] });
      });
    } else if (value !== undefined) {
      slots.push({ path: [key], value });
    }
  });
  return slots;
}

/** The inverse of `slotsOf`. */
export function fieldsFromSlots(slots: readonly Slot[]): Readonly<Record<string, unknown>> {
  const fields: Record<string, unknown> = {};
  const groups: Record<string, Record<string, unknown>> = {};
  slots.forEach(({ path, value }) => {
    const key = String(path[0]);
    if (path[1] === undefined) fields[key] = value;
    else put((groups[key] ??= {}), String(path[1]), value);
  });
  return Object.assign(fields, groups);
}

/** Names of variables and headers are arbitrary; assigning to `__proto__` would change the prototype. */
function put(group: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') group[name] = value;
  else Object.defineProperty(group, name, { value, ...PLAIN_PROPERTY });
}

const PLAIN_PROPERTY = { enumerable: true, configurable: true, writable: true };

/** A key that is equal for equal slots. */
export function slotKey(path: FieldPath): string {
  const key = path[0];
  const name = path[1];
  if (name === undefined) return String(key);
  // https://www.rfc-editor.org/rfc/rfc9110#section-5.1: header names are case-insensitive.
  return `${key}\0${key === 'headers' ? String(name).toLowerCase() : name}`;
}
