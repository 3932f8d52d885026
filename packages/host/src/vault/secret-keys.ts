// The key of the secrets file: where it is, and where the next change puts it. The file itself states where its key is,
// so a choice never locks the user out of existing secrets. A key is created only if nothing depends on an old one. The
// caller holds the file's lock meanwhile.

import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { err, ok, type Result } from '@plugboard/base';
import {
  createFileOnce,
  ensureFolder,
  type HostEnvironment,
  machineId,
  readTextFile,
} from '../platform/index.ts';
import type { Keychain, KeychainProblem } from './keychain.ts';
import { readProblem } from './read-problem.ts';
import type { KeyPlace } from './secret-file.ts';
import { newKeyText, secretKey, type SecretKey } from './secret-key.ts';
import type { SecretProblem } from './secret-store.ts';

/** Where to store the key. `auto`: in the keychain if there is one, else in a file. */
export type KeyChoice = 'auto' | 'keychain' | 'file';

/** The value of PLUGBOARD_SECRETS; `undefined` if it is invalid. */
export function keyChoice({ env }: Pick<HostEnvironment, 'env'>): KeyChoice | undefined {
  const { PLUGBOARD_SECRETS: value = '' } = env;
  if (value === '') return 'auto';
  return value === 'auto' || value === 'keychain' || value === 'file' ? value : undefined;
}

export interface SecretKeysOptions {
  /** The file that the key unlocks. */
  readonly file: string;
  /** Not in the folder of `file`, so that a copy of one folder does not contain both. */
  readonly keyFile: string;
  /** The id of this machine; the system's own, by default. */
  readonly machine?: () => Promise<string>;
  readonly keychain: Keychain;
  readonly choice: KeyChoice;
}

export interface PlacedKey {
  readonly place: KeyPlace;
  readonly key: SecretKey;
}

/** Where the key is, and why it is not in the keychain. */
export type StoreInUse =
  | { readonly kind: 'keychain'; readonly file: string }
  | {
      readonly kind: 'file';
      readonly file: string;
      readonly keyFile: string;
      readonly why: 'chosen' | 'not-yet' | KeychainProblem;
    };

const KEY_FILE: KeyPlace = { kind: 'key-file' };
const MAX_KEY_BYTES = 1024;
const ID_BYTES = 16;

export class SecretKeys {
  readonly #options: SecretKeysOptions;

  constructor(options: SecretKeysOptions) {
    this.#options = options;
  }

  async find(place: KeyPlace): Promise<Result<SecretKey, SecretProblem>> {
    const { file, keyFile, keychain } = this.#options;
    if (place.kind === 'keychain') return this.#fromKeychain(await keychain.read(place.id));
    const key = await this.#fromFile();
    if (!key.ok) return key;
    return key.value === undefined ? err({ kind: 'no-key', where: file, keyFile }) : ok(key.value);
  }

  /** The key for the next change. `now`: the current key, if anything is locked with it. */
  async choose(
    now: PlacedKey | undefined,
    empty: KeyPlace | undefined,
  ): Promise<Result<PlacedKey, SecretProblem>> {
    const { choice, keychain } = this.#options;
    if (choice === 'file') return now?.place.kind === 'key-file' ? ok(now) : this.#inFile();
    if (now?.place.kind === 'keychain') return ok(now);
    const id = empty?.kind === 'keychain' ? empty.id : randomBytes(ID_BYTES).toString('hex');
    const made = await keychain.make(id);
    if (!made.ok && choice === 'auto') return now === undefined ? this.#inFile() : ok(now);
    const key = await this.#fromKeychain(made, 'chosen');
    return key.ok ? ok({ place: { kind: 'keychain', id }, key: key.value }) : key;
  }

  wrongKey(place: KeyPlace): SecretProblem {
    const { file: where, keyFile } = this.#options;
    const isInFile = place.kind === 'key-file';
    return { kind: 'wrong-key', where, keyFile: isInFile ? keyFile : undefined };
  }

  /** `place`: where the key of the file is, if there is anything in it. */
  async inUse(place: KeyPlace | undefined): Promise<StoreInUse> {
    const { file, keyFile, keychain, choice } = this.#options;
    if (place?.kind === 'keychain') return { kind: 'keychain', file };
    if (choice === 'file') return { kind: 'file', file, keyFile, why: 'chosen' };
    const found = await keychain.look();
    if (!found.ok) return { kind: 'file', file, keyFile, why: found.error };
    return place === undefined
      ? { kind: 'keychain', file }
      : { kind: 'file', file, keyFile, why: 'not-yet' };
  }

  async #fromKeychain(
    read: Result<string, KeychainProblem>,
    need: 'locked' | 'chosen' = 'locked',
  ): Promise<Result<SecretKey, SecretProblem>> {
    const { file: where } = this.#options;
    if (!read.ok) return err({ kind: 'no-keychain', need, where, problem: read.error });
    const key = secretKey(read.value, await this.#machine());
    if (key !== undefined) return ok(key);
    const problem = { kind: 'refused', message: 'what it returned is not a key' } as const;
    return err({ kind: 'no-keychain', need, where, problem });
  }

  async #fromFile(): Promise<Result<SecretKey | undefined, SecretProblem>> {
    const { keyFile } = this.#options;
    const text = await readTextFile(keyFile, { maxBytes: MAX_KEY_BYTES });
    if (!text.ok) return readProblem(text.error);
    const key = secretKey(text.value, await this.#machine());
    return key === undefined ? err({ kind: 'damaged', where: keyFile, names: [] }) : ok(key);
  }

  /** Creates the key file, unless another process did so first, and returns its key. */
  async #inFile(): Promise<Result<PlacedKey, SecretProblem>> {
    const { keyFile } = this.#options;
    await ensureFolder(dirname(keyFile));
    await createFileOnce(keyFile, newKeyText());
    const key = await this.#fromFile();
    if (!key.ok) return key;
    return key.value === undefined
      ? err({ kind: 'unreadable', where: keyFile, code: 'ENOENT' })
      : ok({ place: KEY_FILE, key: key.value });
  }

  #machine(): Promise<string> {
    const { machine = machineId } = this.#options;
    return machine();
  }
}
