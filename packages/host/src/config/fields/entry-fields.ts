// All fields that an entry may have, and everything that is derived from their rows: the shape of an entry,
// its types, and the properties of a field.

import { type FieldPath, fields, type ShapeValue } from '../text/index.ts';
import { CONDUCT_FIELDS } from './conduct-fields.ts';
import type { FieldRow, MergeRule, ShownAs } from './field-row.ts';
import { LAUNCH_FIELDS } from './launch-fields.ts';
import type { EntryForm } from './transports.ts';

/** In the order in which people write them. */
export const ENTRY_FIELDS = { ...LAUNCH_FIELDS, ...CONDUCT_FIELDS };

type Rows = typeof ENTRY_FIELDS;

export type FieldKey = keyof Rows;
export type LaunchKey = keyof typeof LAUNCH_FIELDS;
export type ConductKey = keyof typeof CONDUCT_FIELDS;

// The keys are those of the tables.
export const FIELD_KEYS = Object.keys(ENTRY_FIELDS) as readonly FieldKey[];
export const LAUNCH_KEYS = Object.keys(LAUNCH_FIELDS) as readonly LaunchKey[];

export const entryShape = fields(shapesOf());

function shapesOf(): { readonly [Key in FieldKey]: Rows[Key]['shape'] } {
  const shapes = FIELD_KEYS.map((key) => [key, ENTRY_FIELDS[key].shape] as const);
  // Each key has the shape of its row.
  return Object.fromEntries(shapes) as { readonly [Key in FieldKey]: Rows[Key]['shape'] };
}

export type EntryFields = ShapeValue<typeof entryShape>;

/** An entry as a program states it. An interface, so that compilers show its name in place of all fields. */
export interface WrittenEntry extends EntryFields {}

/** The fields that a server always has. */
export type FieldWithDefault = {
  [Key in FieldKey]: Rows[Key] extends { readonly absent: unknown } ? Key : never;
}[FieldKey];

/** The launch fields of servers of this form. */
export type LaunchKeyOf<Form extends EntryForm> = {
  [Key in LaunchKey]: Rows[Key] extends { readonly of: Form } ? Key : never;
}[LaunchKey];

export function isFieldKey(key: unknown): key is FieldKey {
  return typeof key === 'string' && Object.hasOwn(ENTRY_FIELDS, key);
}

export function rowOf(key: FieldKey): FieldRow {
  return ENTRY_FIELDS[key];
}

/** Whether the field means the same if it is not written. */
export function isDefault(key: string, value: unknown): boolean {
  return isFieldKey(key) && value === rowOf(key).absent;
}

/** Whether the field decides what is started or reached, and as whom. Unknown fields count as such. */
export function isLaunch([key]: FieldPath): boolean {
  return !Object.hasOwn(CONDUCT_FIELDS, String(key));
}

/**
 * Whether the field decides which program or address receives the values of an entry. A variable can load
 * other code or name another host; among headers, only `Host` changes the destination.
 */
export function isDestination(path: FieldPath): boolean {
  const [key, name] = path;
  return isLaunch(path) && (key !== 'headers' || String(name).toLowerCase() === 'host');
}

export function isTarget([key]: FieldPath): boolean {
  return isFieldKey(key) && rowOf(key).isTarget === true;
}

/** Whether the field is secret, whatever its value. */
export function isSecretField([key, name]: FieldPath): boolean {
  const secret = isFieldKey(key) ? rowOf(key).secret : undefined;
  if (secret === undefined || secret === true) return secret === true;
  return secret.some((part) => part.split('.')[0] === name);
}

/**
 * Whether the server could not be started or reached without the field, so that withholding it disables the
 * server.
 */
export function isIndispensable([key]: FieldPath): boolean {
  return isLaunch([key ?? '']) && isFieldKey(key) && rowOf(key).secret === undefined;
}

/** How the values of several sources are combined. */
export function mergeRuleOf([key, name]: FieldPath): MergeRule {
  const { merge = 'strongest' } = isFieldKey(key) ? rowOf(key) : {};
  if (typeof merge === 'string') return merge;
  return (Object.hasOwn(merge, String(name)) ? merge[String(name)] : undefined) ?? 'strongest';
}

/** How to show the field. An unknown field may be a secret. */
export function shownAs(key: unknown): ShownAs {
  return isFieldKey(key) ? (rowOf(key).shown ?? 'plain') : 'options';
}
