// An entry taken apart into its slots, the smallest parts that another entry can state again: one
// variable of `env`, one header, `timeout`. Which statement of a slot counts is decided elsewhere.

import { isObject } from '@plugboard/base';
import type { EntryFields, FieldKey } from './entry-shape.ts';
import type { FieldPath } from './field-path.ts';

export interface Slot {
  readonly path: FieldPath;
  readonly value: unknown;
}

/** Fields whose keys are stated one by one. */
const KEYED: ReadonlySet<string> = new Set<FieldKey>([
  'env',
  'headers',
  'oauth',
  'reconnect',
  'tools',
  'permissions',
]);

/** What it takes to start or to reach a server, and as whom. */
const LAUNCH: ReadonlySet<string> = new Set<FieldKey>([
  'type',
  'command',
  'args',
  'env',
  'cwd',
  'envFile',
  'url',
  'headers',
  'headersHelper',
  'oauth',
]);

/** The part of it that only makes sense together. */
const TARGET: ReadonlySet<string> = new Set<FieldKey>(['type', 'command', 'args', 'url']);

export function slotsOf(fields: EntryFields): readonly Slot[] {
  return Object.entries(fields).flatMap(([key, value]): readonly Slot[] => {
    if (value === undefined) return [];
    if (!KEYED.has(key) || !isObject(value)) return [{ path: [key], value }];
    return Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([name, item]) => ({ path: [key, name], value: item }));
  });
}

/** The entry whose slots these are. */
export function fieldsOf(slots: readonly Slot[]): Readonly<Record<string, unknown>> {
  const whole: [string, unknown][] = [];
  const keyed = new Map<string, [string, unknown][]>();
  for (const { path, value } of slots) {
    const [key = '', name] = path.map(String);
    const group = keyed.get(key);
    if (name === undefined) whole.push([key, value]);
    else if (group === undefined) keyed.set(key, [[name, value]]);
    else group.push([name, value]);
  }
  const groups = [...keyed].map(([key, items]): [string, unknown] => [
    key,
    Object.fromEntries(items),
  ]);
  return Object.fromEntries([...whole, ...groups]);
}

/** Slots with the same text are the same slot. */
export function slotKey(path: FieldPath): string {
  const [key, name] = path.map(String);
  // https://www.rfc-editor.org/rfc/rfc9110#section-5.1: names of headers ignore case.
  return name === undefined
    ? String(key)
    : `${key}\0${key === 'headers' ? name.toLowerCase() : name}`;
}

export function isLaunch([key]: FieldPath): boolean {
  return LAUNCH.has(String(key));
}

export function isTarget([key]: FieldPath): boolean {
  return TARGET.has(String(key));
}
