// A server as the rest of the host sees it: checked, of one kind, with nothing left to guess.

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

/** The same where each field is there or not, and never `undefined`. */
type WithoutUndefined<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? string extends keyof T
      ? { readonly [Key in keyof T]: WithoutUndefined<Exclude<T[Key], undefined>> }
      : { readonly [Key in keyof T]?: WithoutUndefined<Exclude<T[Key], undefined>> }
    : T;

type Value<Key extends FieldKey> = WithoutUndefined<Exclude<EntryFields[Key], undefined>>;

/** These fields of a server: those with a default always, the others where they are stated. */
type FieldsOf<Key extends FieldKey> = {
  readonly [Field in Key & FieldWithDefault]: Value<Field>;
} & { readonly [Field in Exclude<Key, FieldWithDefault>]?: Value<Field> };

/** How a server of any kind is used: the fields that are stated, as entry-words.ts tells of them. */
export interface CommonFields extends Omit<FieldsOf<ConductKey>, 'tools' | 'permissions'> {
  readonly tools?: {
    /** One list for each source that limits them; a tool must match each list. */
    readonly include?: readonly (readonly string[])[];
    readonly exclude?: readonly string[];
  };
  readonly permissions?: Readonly<Record<string, unknown>>;
}

export interface StdioEntry extends CommonFields, FieldsOf<LaunchKeyOf<'stdio'>> {
  readonly kind: KindOfForm<'stdio'>;
  /** Once it is ready to be used, always there: the folder in which it starts. */
  readonly cwd?: string;
  /** What its command is relative to, where that is a relative path and no `cwd` is written. */
  readonly programFolder?: string;
  /** Where npm is to look for settings and packages, where the entry is no project's and yet starts elsewhere. */
  readonly npmPrefix?: string;
}

export interface RemoteEntry extends CommonFields, Omit<FieldsOf<LaunchKeyOf<'remote'>>, 'oauth'> {
  readonly kind: KindOfForm<'remote'>;
  /** Where the helper starts; always there once it is ready to be used. */
  readonly cwd?: string;
  /** What the helper's program is relative to, where that is a relative path and no `cwd` is written. */
  readonly programFolder?: string;
  readonly oauth?: Readonly<Record<string, unknown>>;
}

/** Supplied in process by the embedding program. */
export interface SdkEntry extends CommonFields {
  readonly kind: KindOfForm<'sdk'>;
  /** Of one that is the same in every run: what it lists may be kept under this name. */
  readonly edition?: string;
}

interface EntryOfForm {
  readonly stdio: StdioEntry;
  readonly remote: RemoteEntry;
  readonly sdk: SdkEntry;
}

export type ServerEntry = EntryOfForm[EntryForm];

/** What an entry of each form gives. A new form does not compile until every use of this has a case for it. */
export function byForm<T>(
  entry: ServerEntry,
  cases: { readonly [Form in EntryForm]: (entry: EntryOfForm[Form]) => T },
): T {
  // The kind of an entry names its form, and so its type.
  const given = cases[transportOf(entry.kind).form] as (of: ServerEntry) => T;
  return given(entry);
}

/** What is started or reached, with what, and as whom. */
export type LaunchFields = { readonly [Key in LaunchKey]?: Value<Key> };

export function launchFields(entry: ServerEntry): LaunchFields {
  const all: Readonly<Record<string, unknown>> = { ...entry, type: entry.kind };
  const stated = LAUNCH_KEYS.filter((key) => all[key] !== undefined);
  return Object.fromEntries(stated.map((key) => [key, all[key]]));
}

/** What a server is, whatever its transport: what policies, pins and people go by. */
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
