// All fields that an entry may have, and what follows from their rows: the shape of an entry, its types, and what may be
// asked about a field.

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

/** An entry as a program states it; its own name, so that compilers say it in place of all fields. */
export interface WrittenEntry extends EntryFields {}

/** The fields that a server always has. */
export type FieldWithDefault = {
  [Key in FieldKey]: Rows[Key] extends { readonly absent: unknown } ? Key : never;
}[FieldKey];

/** The fields that say what a server of this form is. */
export type LaunchKeyOf<Form extends EntryForm> = {
  [Key in LaunchKey]: Rows[Key] extends { readonly of: Form } ? Key : never;
}[LaunchKey];

export function isFieldKey(key: unknown): key is FieldKey {
  return typeof key === 'string' && Object.hasOwn(ENTRY_FIELDS, key);
}

export function rowOf(key: FieldKey): FieldRow {
  return ENTRY_FIELDS[key];
}

/** Whether it says what it takes to start or to reach a server, and as whom. What is not known counts as such. */
export function isLaunch([key]: FieldPath): boolean {
  return !Object.hasOwn(CONDUCT_FIELDS, String(key));
}

/**
 * Whether it decides which program gets what an entry holds, or which address. A variable can have other code loaded or
 * name another host; of headers only `Host` leads elsewhere.
 */
export function isDestination(path: FieldPath): boolean {
  const [key, name] = path;
  return isLaunch(path) && (key !== 'headers' || String(name).toLowerCase() === 'host');
}

export function isTarget([key]: FieldPath): boolean {
  return isFieldKey(key) && rowOf(key).isTarget === true;
}

/** Whether the field is secret by what it is, whatever it holds. */
export function isSecretField([key, name]: FieldPath): boolean {
  const secret = isFieldKey(key) ? rowOf(key).secret : undefined;
  if (secret === undefined || secret === true) return secret === true;
  return secret.some((part) => part.split('.')[0] === name);
}

/** Whether a server could not be started or reached without the field, so that it cannot be withheld alone. */
export function isIndispensable([key]: FieldPath): boolean {
  return isLaunch([key ?? '']) && isFieldKey(key) && rowOf(key).secret === undefined;
}

/** What counts where several sources state it. */
export function mergeRuleOf([key, name]: FieldPath): MergeRule {
  const { merge = 'strongest' } = isFieldKey(key) ? rowOf(key) : {};
  if (typeof merge === 'string') return merge;
  return (Object.hasOwn(merge, String(name)) ? merge[String(name)] : undefined) ?? 'strongest';
}

/** How it is to be shown. What is not known may be a secret. */
export function shownAs(key: unknown): ShownAs {
  return isFieldKey(key) ? (rowOf(key).shown ?? 'plain') : 'options';
}
