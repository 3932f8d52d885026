// A server as the rest of the host sees it: checked, of one kind, with nothing left to guess.

import type { EntryFields, FieldOf } from './entry-shape.ts';

/** The same where each field is there or not, and never `undefined`. */
type WithoutUndefined<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? string extends keyof T
      ? { readonly [Key in keyof T]: WithoutUndefined<Exclude<T[Key], undefined>> }
      : { readonly [Key in keyof T]?: WithoutUndefined<Exclude<T[Key], undefined>> }
    : T;

type ConductFields = WithoutUndefined<Pick<EntryFields, FieldOf<'conduct'>>>;

/** How a server of any kind is used: the fields that are stated, as field-words.ts tells of them. */
export interface CommonFields extends Omit<
  ConductFields,
  'disabled' | 'required' | 'alwaysLoad' | 'tools' | 'permissions'
> {
  readonly disabled: boolean;
  readonly required: boolean;
  readonly alwaysLoad: boolean;
  readonly tools?: {
    /** One list for each source that limits them; a tool must match each list. */
    readonly include?: readonly (readonly string[])[];
    readonly exclude?: readonly string[];
  };
  readonly permissions?: Readonly<Record<string, unknown>>;
}

export interface StdioEntry extends CommonFields {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Once it is ready to be used, always there: the folder in which it starts. */
  readonly cwd?: string;
  /** What its command is relative to, where that is a relative path and no `cwd` is written. */
  readonly programFolder?: string;
  /** Where npm is to look for settings and packages, where the entry is no project's and yet starts elsewhere. */
  readonly npmPrefix?: string;
  readonly envFile?: string;
}

export interface RemoteEntry extends CommonFields {
  /** `http-or-sse`: a url without a type; Streamable HTTP is tried first, then HTTP+SSE. */
  readonly kind: 'http' | 'sse' | 'ws' | 'http-or-sse';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly headersHelper?: string;
  /** Where the helper starts; always there once it is ready to be used. */
  readonly cwd?: string;
  /** What the helper's program is relative to, where that is a relative path and no `cwd` is written. */
  readonly programFolder?: string;
  readonly oauth?: Readonly<Record<string, unknown>>;
}

/** Supplied in process by the embedding program. */
export interface SdkEntry extends CommonFields {
  readonly kind: 'sdk';
  /** Of one that is the same in every run: what it lists may be kept under this name. */
  readonly edition?: string;
}

export type ServerEntry = StdioEntry | RemoteEntry | SdkEntry;
