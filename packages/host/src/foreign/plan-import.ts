// Plans the import of other hosts' servers into one file. Pure. A server that several hosts declare alike is
// planned once; different servers of one name get different names, the later ones with the name of the host
// as suffix. Planning again after an import finds nothing to do.

import { canonicalJson, isObject } from '@plugboard/base';
import { ALL_TRANSPORTS, isDefault, type Position } from '../config/index.ts';
import type { ForeignHostId } from './hosts/foreign-host.ts';
import type { Note } from './hosts/note.ts';
import type { ForeignFile, ForeignServer } from './foreign-servers.ts';

export interface ImportSource {
  readonly host: ForeignHostId;
  readonly owner: ForeignFile['owner'];
  /** Its name in the other host. */
  readonly name: string;
  readonly at: Position;
}

export type ImportChange =
  | { readonly kind: 'new' }
  /** The file has the same server. */
  | { readonly kind: 'same' }
  /** The file has another server of this name. `fields`: those that differ, such as `env.TOKEN`. */
  | { readonly kind: 'different'; readonly fields: readonly string[]; readonly existing: unknown };

export interface PlannedImport {
  /** The name under which it would be written. */
  readonly name: string;
  readonly entry: Readonly<Record<string, unknown>>;
  readonly notes: readonly Note[];
  /** At least one; all of them declare the same server. */
  readonly sources: readonly ImportSource[];
  readonly change: ImportChange;
}

/** `existing`: the entries of the target file, as written, by name. */
export function planImport(
  found: readonly ForeignFile[],
  existing: ReadonlyMap<string, unknown>,
): readonly PlannedImport[] {
  const planned = new Map<string, PlannedImport>();
  // Files of the user come first, so that a project's file, whose author is unknown, cannot take their names.
  const owned = [...found.filter(isOfUser), ...found.filter((file) => !isOfUser(file))];
  for (const file of owned) {
    for (const server of file.servers) {
      const source = { host: file.host, owner: file.owner, name: server.name, at: server.at };
      const name = nameIn({ planned, existing, server, host: file.host });
      const before = planned.get(name);
      planned.set(
        name,
        before === undefined
          ? { ...planOf(name, server, existing), sources: [source] }
          : { ...before, sources: [...before.sources, source] },
      );
    }
  }
  return [...planned.values()];
}

function isOfUser({ owner }: ForeignFile): boolean {
  return owner === 'user';
}

interface NamingContext {
  readonly planned: ReadonlyMap<string, PlannedImport>;
  readonly existing: ReadonlyMap<string, unknown>;
  readonly server: ForeignServer;
  readonly host: ForeignHostId;
}

/** Its own name, unless another server of this plan has that name, or an earlier import chose another one. */
function nameIn({ planned, existing, server, host }: NamingContext): string {
  const { name, entry } = server;
  const isSame = (other: unknown): boolean => comparable(other) === comparable(entry);
  const isFree = (candidate: string): boolean => {
    const taken = planned.get(candidate);
    return taken === undefined || isSame(taken.entry);
  };
  const second = suffixed(name, host);
  const wasSecond = isSame(existing.get(second)) && !isSame(existing.get(name));
  if (wasSecond && isFree(second)) return second;
  for (let number = 0; ; number += 1) {
    const candidate = candidateName(name, host, number);
    if (isFree(candidate)) return candidate;
  }
}

/** `name`, `name-host`, `name-host-2`, and so on. */
function candidateName(name: string, host: string, number: number): string {
  if (number === 0) return name;
  return number === 1 ? suffixed(name, host) : suffixed(name, `${host}-${number}`);
}

const MAX_NAME = 64;

function suffixed(name: string, suffix: string): string {
  return `${name.slice(0, MAX_NAME - suffix.length - 1)}-${suffix}`;
}

function planOf(
  name: string,
  { entry, notes }: ForeignServer,
  existing: ReadonlyMap<string, unknown>,
): Omit<PlannedImport, 'sources'> {
  const planned = { name, entry, notes };
  if (!existing.has(name)) return { ...planned, change: { kind: 'new' } };
  const other = existing.get(name);
  if (comparable(other) === comparable(entry)) return { ...planned, change: { kind: 'same' } };
  const fields = differing(essential(other), essential(entry));
  return { ...planned, change: { kind: 'different', fields, existing: other } };
}

/** The fields that differ; each key of `env` and `headers` is a field. */
function differing(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): readonly string[] {
  const [old, now] = [flattened(before), flattened(after)];
  return [...new Set([...old.keys(), ...now.keys()])].filter((field) => {
    const isInBoth = old.has(field) && now.has(field);
    return !isInBoth || canonicalJson(old.get(field)) !== canonicalJson(now.get(field));
  });
}

function flattened(entry: Readonly<Record<string, unknown>>): ReadonlyMap<string, unknown> {
  const fields = Object.entries(entry).flatMap(([field, value]): [string, unknown][] =>
    (field === 'env' || field === 'headers') && isObject(value)
      ? Object.entries(value).map(([key, item]) => [`${field}.${key}`, item])
      : [[field, value]],
  );
  return new Map(fields);
}

/** Equal for entries that mean the same server. */
function comparable(entry: unknown): string {
  return isObject(entry) ? canonicalJson(essential(entry)) : '';
}

/**
 * Leaves out what means the same if it is not written, such as a type that a command or a URL implies: one host writes
 * "http", another one nothing.
 */
function essential(entry: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(entry)) return {};
  const fields = Object.entries(entry).filter(([field, value]) => {
    if (field === 'type') return !IMPLIED.includes(value);
    return !isEmpty(value) && !isDefault(field, value);
  });
  return Object.fromEntries(fields);
}

const IMPLIED: readonly unknown[] = ALL_TRANSPORTS.flatMap(({ name, types }) =>
  ALL_TRANSPORTS.some((other) => other.isImplied && other.name === name) ? types : [],
);

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}
