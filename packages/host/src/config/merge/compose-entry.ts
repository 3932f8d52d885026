// From the fields that count to a server of one kind. What contradicts itself makes no server; what
// has no effect is a warning. Variables are not filled in here.

import { isObject } from '@plugboard/base';
import {
  checkUrl,
  type CommonFields,
  decideKind,
  ENTRY_FIELDS,
  type EntryFields,
  fieldsWhere,
  hasEffect,
  type ServerEntry,
  unusedKeys,
} from '../fields/index.ts';
import { hasPlaceholder } from '../resolve/index.ts';
import type { AnyShape, Finding } from '../text/index.ts';
import { isLaunch } from './field-slots.ts';

/** As in an entry, but for what is allowed: each of the lists must allow it. */
export interface CombinedFields extends Omit<EntryFields, 'tools' | 'permissions'> {
  readonly tools?: CommonFields['tools'];
  readonly permissions?: CommonFields['permissions'];
}

export interface ComposedEntry {
  /** Absent exactly when a finding is an error. */
  readonly entry?: ServerEntry;
  readonly findings: readonly Finding[];
}

export function composeEntry(fields: CombinedFields): ComposedEntry {
  const kind = decideKind(fields);
  if (!kind.ok) return { findings: [isPatchAlone(fields) ? NOTHING_TO_PATCH : kind.error] };
  const entry = assemble(kind.value, fields);
  const wrongUrl = urlFinding(entry);
  if (wrongUrl !== undefined) return { findings: [wrongUrl] };
  return { entry, findings: unusedKeys(kind.value, fields) };
}

/** It was meant to change a server, which is not there, or no longer. */
function isPatchAlone(fields: CombinedFields): boolean {
  const keys = Object.keys(fields);
  return keys.length > 0 && !keys.some((key) => isLaunch([key]));
}

const NOTHING_TO_PATCH: Finding = {
  severity: 'error',
  code: 'command-or-url',
  path: [],
  on: 'key',
  message: 'Nothing defines it: no entry of this name has a "command" or a "url".',
  suggestion: 'Remove this entry, or add what it should run or reach.',
};

function urlFinding(entry: ServerEntry): Finding | undefined {
  // With a variable in it, it can only be judged once that is filled in.
  if (!('url' in entry) || hasPlaceholder(entry.url)) return undefined;
  return checkUrl(entry.url, entry.kind);
}

function assemble(kind: ServerEntry['kind'], fields: CombinedFields): ServerEntry {
  const common = commonFields(kind, fields);
  if (kind === 'sdk') return { kind, ...common };
  if (kind === 'stdio') {
    const { command = '', args = [], env = {}, cwd, envFile } = fields;
    return { kind, command, args, env, ...withoutUndefined({ cwd, envFile }), ...common };
  }
  const { url = '', headers = {}, headersHelper } = fields;
  const cwd = headersHelper === undefined ? undefined : fields.cwd;
  const oauth = fields.oauth && knownIn(ENTRY_FIELDS.oauth.shape, fields.oauth);
  return { kind, url, headers, ...withoutUndefined({ headersHelper, cwd, oauth }), ...common };
}

const CONDUCT = fieldsWhere(({ part }) => part === 'conduct');

function commonFields(kind: ServerEntry['kind'], fields: CombinedFields): CommonFields {
  const stated = CONDUCT.filter((key) => hasEffect(key, kind)).flatMap((key) => {
    const value = fields[key];
    return value === undefined ? [] : [[key, knownIn(ENTRY_FIELDS[key].shape, value)] as const];
  });
  return { disabled: false, required: false, alwaysLoad: false, ...Object.fromEntries(stated) };
}

/** The same value without the fields that the shape does not know, or that are undefined. */
function knownIn<T>({ form }: AnyShape, value: T): T {
  if (form.kind === 'flag-or') return knownIn(form.item, value);
  if (!isObject(value) || (form.kind !== 'fields' && form.kind !== 'map')) return value;
  const kept = Object.entries(value).flatMap(([key, item]) => {
    const own = form.kind === 'fields' && Object.hasOwn(form.shapes, key);
    const shape = form.kind === 'map' ? form.item : own ? form.shapes[key] : undefined;
    return shape === undefined || item === undefined ? [] : [[key, knownIn(shape, item)] as const];
  });
  // It has the same fields, as far as its shape knows them.
  return Object.fromEntries(kept) as T;
}

/** The same object without the fields that are undefined. */
function withoutUndefined<T extends object>(
  fields: T,
): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  const kept: Partial<T> = {};
  // The keys are those that are written in this file.
  (Object.keys(fields) as (keyof T)[]).forEach((key) => {
    if (fields[key] !== undefined) kept[key] = fields[key];
  });
  // Only fields of T are left, and none of them is undefined.
  return kept as { [Key in keyof T]?: Exclude<T[Key], undefined> };
}
