// An entry taken apart into its slots, the smallest parts that another entry can state again: one
// variable of `env`, one header, `timeout`. Which statement of a slot counts is decided elsewhere.

import { isObject } from '@plugboard/base';
import { type EntryFields, fieldsWhere } from '../fields/index.ts';
import type { FieldPath } from '../text/index.ts';

export interface Slot {
  readonly path: FieldPath;
  readonly value: unknown;
}

/** Fields whose keys are stated one by one. */
const KEYED: ReadonlySet<string> = new Set(
  fieldsWhere(({ shape: { form } }) => form.kind === 'fields' || form.kind === 'map'),
);

/** How a server is used that may start anyway. */
const CONDUCT: ReadonlySet<string> = new Set(fieldsWhere(({ part }) => part === 'conduct'));

/** What only makes sense together. */
const TARGET: ReadonlySet<string> = new Set(fieldsWhere(({ part }) => part === 'target'));

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

/** The entry whose slots these are. */
export function fieldsOf(slots: readonly Slot[]): Readonly<Record<string, unknown>> {
  const fields: Record<string, unknown> = {};
  const groups: Record<string, Record<string, unknown>> = {};
  slots.forEach(({ path, value }) => {
    const key = String(path[0]);
    if (path[1] === undefined) fields[key] = value;
    else put((groups[key] ??= {}), String(path[1]), value);
  });
  return Object.assign(fields, groups);
}

/** The names of variables and headers are free: setting `__proto__` would do something else. */
function put(group: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') group[name] = value;
  else Object.defineProperty(group, name, { value, ...PLAIN_PROPERTY });
}

const PLAIN_PROPERTY = { enumerable: true, configurable: true, writable: true };

/** Slots with the same text are the same slot. */
export function slotKey(path: FieldPath): string {
  const key = path[0];
  const name = path[1];
  if (name === undefined) return String(key);
  // https://www.rfc-editor.org/rfc/rfc9110#section-5.1: names of headers ignore case.
  return `${key}\0${key === 'headers' ? String(name).toLowerCase() : name}`;
}

/** Whether it says what it takes to start or to reach a server, and as whom. */
export function isLaunch(path: FieldPath): boolean {
  return !CONDUCT.has(String(path[0]));
}

/**
 * Whether it decides which program gets what an entry holds, or which address. A variable can have other code loaded or
 * name another host; of headers only `Host` leads elsewhere.
 */
export function isDestination(path: FieldPath): boolean {
  const [key, name] = path;
  return isLaunch(path) && (key !== 'headers' || String(name).toLowerCase() === 'host');
}

export function isTarget(path: FieldPath): boolean {
  return TARGET.has(String(path[0]));
}
