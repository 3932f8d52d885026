// The subject of an approval: a server's name, its folder, and everything that decides what is started or reached, as
// written. Variables are not expanded, so that no secret is read and a changed token does not require a new approval.

import { hash } from 'node:crypto';
import { canonicalJson, isObject } from '@plugboard/base';
import type { LaunchFields } from '../config/index.ts';

export interface TrustSubject extends TrustTarget {
  readonly launch: TrustLaunch;
  /** The folder in which its program starts. Not part of the hash, since it is derived from the rest. */
  readonly startsIn?: string | undefined;
}

/** Something that can be approved, with everything to which the approval is bound. */
export interface TrustTarget {
  readonly name: string;
  /** The project's top folder, or the plugin's. */
  readonly root: string;
  readonly launch: object;
}

/** Every field that decides what is started or reached, as written. */
export interface TrustLaunch extends Omit<LaunchFields, 'headersHelper' | 'oauth'> {
  readonly env: Readonly<Record<string, string>>;
  /** The content of the file, which can change without its name. */
  readonly envFileValues?: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly headersHelper?: string | readonly string[];
  readonly oauth?: Readonly<Record<string, unknown>>;
  /** The digests of the project's files that the server runs, by their paths from the project's top. */
  readonly files?: Readonly<Record<string, string>>;
  /** Set if the user has disabled the server, and a file that came with a folder enables it. */
  readonly isTurnedOn?: true;
}

/** Changes with any part of the subject, but not with the order of keys. */
export function trustHash({ name, root, launch }: TrustTarget): string {
  return sha256(['plugboard trust', 1, name, root, launch]);
}

/**
 * One hash for each field (`args`, `env.TOKEN`), in the order of names: enough to find changed fields later
 * without storing their values.
 */
export function fieldHashes(launch: object): ReadonlyMap<string, string> {
  const fields = Object.entries(launch).flatMap(([key, value]) => flatFields(key, value));
  return new Map(
    fields
      .map(([field, value]) => [field, sha256([field, value]).slice(0, SHORT_HASH)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

const SHORT_HASH = 16;

function flatFields(key: string, value: unknown): readonly (readonly [string, unknown])[] {
  if (value === undefined) return [];
  if (!isObject(value)) return [[key, value]];
  return Object.entries(value).map(([inner, item]) => [`${key}.${inner}`, item]);
}

function sha256(value: readonly unknown[]): string {
  return hash('sha256', canonicalJson(value), 'hex');
}
