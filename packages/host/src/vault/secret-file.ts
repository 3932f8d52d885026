// The text of the secrets file: each secret under its name and locked on its own, with a seal over all of them, which
// also detects lost and renamed secrets. Pure.

import { err, isObject, ok, parseJson, type Result } from '@plugboard/base';
import { isSecretName } from './secret-store.ts';
import type { SecretKey } from './secret-key.ts';

/** Where the key to a file is. */
export type KeyPlace =
  | { readonly kind: 'key-file' }
  | { readonly kind: 'keychain'; readonly id: string };

export interface SecretFile {
  readonly place: KeyPlace;
  /** Shows whether a key is the one that the file was written with. */
  readonly keyMark: string;
  readonly seal: string;
  readonly records: ReadonlyMap<string, string>;
}

export const MAX_FILE_BYTES = 4 * 1024 * 1024;
const VERSION = 1;
const KEY_MARK = 'plugboard';
const KEY_ID = /^[0-9a-f]{32}$/;

export function parseSecretFile(text: string): Result<SecretFile, 'not-a-secret-file'> {
  const parsed = parseJson(text, { maxLength: MAX_FILE_BYTES, maxDepth: 4 });
  if (!parsed.ok || !isObject(parsed.value)) return err('not-a-secret-file');
  const { version, keychain, keyMark, seal, secrets } = parsed.value;
  if (version !== VERSION || typeof keyMark !== 'string' || typeof seal !== 'string') {
    return err('not-a-secret-file');
  }
  const place = keyPlace(keychain);
  if (place === undefined || !isObject(secrets)) return err('not-a-secret-file');
  const records = Object.entries(secrets);
  return records.every(isRecord)
    ? ok({ place, keyMark, seal, records: new Map(records) })
    : err('not-a-secret-file');
}

function keyPlace(keychain: unknown): KeyPlace | undefined {
  if (keychain === undefined) return { kind: 'key-file' };
  const isId = typeof keychain === 'string' && KEY_ID.test(keychain);
  return isId ? { kind: 'keychain', id: keychain } : undefined;
}

function isRecord(entry: [string, unknown]): entry is [string, string] {
  return isSecretName(entry[0]) && typeof entry[1] === 'string';
}

/** Sorted by name, so that only what changed differs. */
export function formatSecretFile(
  records: ReadonlyMap<string, string>,
  { place, key }: { readonly place: KeyPlace; readonly key: SecretKey },
): string {
  const document = {
    version: VERSION,
    ...(place.kind === 'keychain' ? { keychain: place.id } : {}),
    keyMark: key.seal(KEY_MARK),
    seal: key.seal(sealedText(records)),
    secrets: Object.fromEntries(ordered(records)),
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

export type FileState =
  | { readonly kind: 'whole' }
  | { readonly kind: 'wrong-key' }
  /** `names`: the secrets that cannot be unlocked. */
  | { readonly kind: 'damaged'; readonly names: readonly string[] };

export function secretFileState({ keyMark, seal, records }: SecretFile, key: SecretKey): FileState {
  if (key.isSealOf(seal, sealedText(records))) return { kind: 'whole' };
  if (!key.isSealOf(keyMark, KEY_MARK)) return { kind: 'wrong-key' };
  const broken = ordered(records).filter(
    ([name, record]) => key.unlock(name, record) === undefined,
  );
  return { kind: 'damaged', names: broken.map(([name]) => name) };
}

function sealedText(records: ReadonlyMap<string, string>): string {
  return JSON.stringify(ordered(records));
}

function ordered(records: ReadonlyMap<string, string>): [string, string][] {
  return [...records].toSorted(([a], [b]) => (a < b ? -1 : 1));
}
