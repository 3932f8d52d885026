// The entry of a server as the rest of the host uses it: checked and of a definite kind.

import {
  type ConductKey,
  type EntryFields,
  type FieldKey,
  type FieldWithDefault,
  LAUNCH_KEYS,
  type LaunchKey,
  type LaunchKeyOf,
} from './entry-fields.ts';
import { type EntryForm, type KindOfForm, transportOf } from './transports.ts';

/** The same type, with fields that may be absent but are never `undefined`. */
type WithoutUndefined<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? string extends keyof T
      ? { readonly [Key in keyof T]: WithoutUndefined<Exclude<T[Key], undefined>> }
      : { readonly [Key in keyof T]?: WithoutUndefined<Exclude<T[Key], undefined>> }
    : T;

type Value<Key extends FieldKey> = WithoutUndefined<Exclude<EntryFields[Key], undefined>>;

/** These fields of a server: required if they have a default, optional otherwise. */
type FieldsOf<Key extends FieldKey> = {
  readonly [Field in Key & FieldWithDefault]: Value<Field>;
} & { readonly [Field in Exclude<Key, FieldWithDefault>]?: Value<Field> };

/** The conduct fields of a server of any kind, which entry-words.ts describes. */
export interface CommonFields extends Omit<FieldsOf<ConductKey>, 'tools' | 'permissions'> {
  readonly tools?: {
    /** One list for each source that limits the tools; a tool must match every list. */
    readonly include?: readonly (readonly string[])[];
    readonly exclude?: readonly string[];
  };
  readonly permissions?: Readonly<Record<string, unknown>>;
}

export interface StdioEntry extends CommonFields, FieldsOf<LaunchKeyOf<'stdio'>> {
  readonly kind: KindOfForm<'stdio'>;
  /** The folder in which the server starts; always present once the entry is resolved. */
  readonly cwd?: string;
  /** The folder to which a relative command is relative if no `cwd` is written. */
  readonly programFolder?: string;
  /** The folder in which npm looks for settings and packages if the entry is not a project's and has a `cwd`. */
  readonly npmPrefix?: string;
}

export interface RemoteEntry extends CommonFields, Omit<FieldsOf<LaunchKeyOf<'remote'>>, 'oauth'> {
  readonly kind: KindOfForm<'remote'>;
  /** The folder in which the helper starts; always present once the entry is resolved. */
  readonly cwd?: string;
  /** The folder to which a relative helper is relative if no `cwd` is written. */
  readonly programFolder?: string;
  readonly oauth?: Readonly<Record<string, unknown>>;
}

/** Supplied in process by the embedding program. */
export interface SdkEntry extends CommonFields {
  readonly kind: KindOfForm<'sdk'>;
  /** Identifies a server that is the same in every run, so that what it lists may be stored under this name. */
  readonly edition?: string;
}

interface EntryOfForm {
  readonly stdio: StdioEntry;
  readonly remote: RemoteEntry;
  readonly sdk: SdkEntry;
}

export type ServerEntry = EntryOfForm[EntryForm];

/** Handles an entry by its form. A new form does not compile until every call has a case for it. */
export function byForm<T>(
  entry: ServerEntry,
  cases: { readonly [Form in EntryForm]: (entry: EntryOfForm[Form]) => T },
): T {
  // The kind of an entry determines its form, and so its type.
  const given = cases[transportOf(entry.kind).form] as (of: ServerEntry) => T;
  return given(entry);
}

/** The fields that decide what is started or reached, with what, and as whom. */
export type LaunchFields = { readonly [Key in LaunchKey]?: Value<Key> };

export function launchFields(entry: ServerEntry): LaunchFields {
  const all: Readonly<Record<string, unknown>> = { ...entry, type: entry.kind };
  const stated = LAUNCH_KEYS.filter((key) => all[key] !== undefined);
  return Object.fromEntries(stated.map((key) => [key, all[key]]));
}

/** What a server runs or reaches, which identifies it for policies, pins and people. */
export type EntryTarget =
  | { readonly kind: 'command'; readonly argv: readonly string[] }
  | { readonly kind: 'url'; readonly url: string }
  /** A server of the program itself. */
  | { readonly kind: 'none' };

export function entryTarget(entry: ServerEntry): EntryTarget {
  return byForm<EntryTarget>(entry, {
    stdio: ({ command, args }) => ({ kind: 'command', argv: [command, ...args] }),
    remote: ({ url }) => ({ kind: 'url', url }),
    // Neither policies nor pins apply to it: running the program accepts its own servers.
    sdk: () => ({ kind: 'none' }),
  });
}
