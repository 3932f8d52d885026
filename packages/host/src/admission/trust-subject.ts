// What an approval is bound to: a server's name, its folder, and all that decides what would run or be
// reached, as written. Variables are not expanded, so that no secret is read and a changed token does not
// require a new approval.

import { createHash } from 'node:crypto';
import { canonicalJson, isObject } from '@plugboard/base';
import type { LaunchFields } from '../config/index.ts';

export interface TrustSubject extends TrustTarget {
  readonly launch: TrustLaunch;
  /** The folder in which its program starts. It follows from the rest, so that no approval is bound to it. */
  readonly startsIn?: string | undefined;
}

/** Whatever is approved, with all that the approval is bound to. */
export interface TrustTarget {
  readonly name: string;
  /** The project's top folder, or the plugin's. */
  readonly root: string;
  readonly launch: object;
}

/** Every field that decides what is started or reached, as written. */
export interface TrustLaunch extends Omit<LaunchFields, 'headersHelper' | 'oauth'> {
  readonly env: Readonly<Record<string, string>>;
  /** What the file holds: it can change while its name stays. */
  readonly envFileValues?: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly headersHelper?: string | readonly string[];
  readonly oauth?: Readonly<Record<string, unknown>>;
  /** What the files of the project hold that it runs, by their paths from the project's top. */
  readonly files?: Readonly<Record<string, string>>;
  /** The user has it off, and a file that came with a folder turns it on. */
  readonly isTurnedOn?: true;
}

/** Changes with any part of the subject; the order of keys is none. */
export function trustHash({ name, root, launch }: TrustTarget): string {
  return sha256(['plugboard trust', 1, name, root, launch]);
}

/**
 * One hash for each field (`args`, `env.TOKEN`), in the order of names: enough to say later which of
 * them changed, without keeping what they held.
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
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

/** JSON with sorted keys. What is undefined is not there, in any object. */
