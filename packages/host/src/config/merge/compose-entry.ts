// Builds the entry of a server from its merged fields. A contradiction is an error; a field without effect is
// a warning. Variables are not filled in here.

import { isObject } from '@plugboard/base';
import {
  checkUrl,
  type CommonFields,
  decideKind,
  type EntryFields,
  FIELD_KEYS,
  hasEffect,
  isLaunch,
  rowOf,
  type ServerEntry,
  unusedKeys,
} from '../fields/index.ts';
import { hasPlaceholder } from '../resolve/index.ts';
import type { AnyShape, Finding } from '../text/index.ts';

/** The fields of an entry after merging: a list of what is allowed becomes one list for each source. */
export interface CombinedFields extends Omit<EntryFields, 'tools' | 'permissions'> {
  readonly tools?: CommonFields['tools'];
  readonly permissions?: CommonFields['permissions'];
}

export interface ComposedEntry {
  /** Absent exactly if a finding is an error. */
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

/** Whether the entry only patches a server that does not exist. */
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
  // A URL with a variable can only be checked once the variable is filled in.
  if (!('url' in entry) || hasPlaceholder(entry.url)) return undefined;
  return checkUrl(entry.url, entry.kind);
}

function assemble(kind: ServerEntry['kind'], fields: CombinedFields): ServerEntry {
  const entry: Record<string, unknown> = { kind };
  FIELD_KEYS.forEach((key) => {
    const { shape, absent } = rowOf(key);
    const value = fields[key] ?? absent;
    if (value === undefined || key === 'type' || !hasEffect(key, kind, fields)) return;
    entry[key] = knownIn(shape, value);
  });
  // The fields of this kind of server, each checked by its shape.
  return entry as unknown as ServerEntry;
}

/** Removes fields that are undefined or unknown to the shape. */
function knownIn<T>({ form }: AnyShape, value: T): T {
  if (form.kind === 'flag-or') return knownIn(form.item, value);
  if (!isObject(value) || (form.kind !== 'fields' && form.kind !== 'map')) return value;
  const kept = Object.entries(value).flatMap(([key, item]) => {
    const own = form.kind === 'fields' && Object.hasOwn(form.shapes, key);
    const shape = form.kind === 'map' ? form.item : own ? form.shapes[key] : undefined;
    return shape === undefined || item === undefined ? [] : [[key, knownIn(shape, item)] as const];
  });
  // Only unknown fields are gone.
  return Object.fromEntries(kept) as T;
}
