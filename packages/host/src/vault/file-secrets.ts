// Stores secrets in an encrypted file. Its key is in the system's keychain or in another folder, and is bound to the
// machine. Processes change the file one at a time. A damaged file yields a problem, never a wrong value.

import { dirname } from 'node:path';
import {
  type Clock,
  deadline,
  DeadlineExceeded,
  err,
  isObject,
  never,
  ok,
  type Result,
} from '@plugboard/base';
import {
  ensureFolder,
  FileLocked,
  readTextFile,
  systemCode,
  withFileLock,
  writeFileAtomically,
} from '../platform/index.ts';
import { noKeychain } from './keychain.ts';
import { readProblem } from './read-problem.ts';
import {
  formatSecretFile,
  type KeyPlace,
  MAX_FILE_BYTES,
  parseSecretFile,
  type SecretFile,
  secretFileState,
} from './secret-file.ts';
import {
  type PlacedKey,
  SecretKeys,
  type SecretKeysOptions,
  type StoreInUse,
} from './secret-keys.ts';
import { nameProblem, pairProblem, type SecretProblem, type SecretStore } from './secret-store.ts';

export interface FileSecretsOptions extends Omit<SecretKeysOptions, 'keychain' | 'choice'> {
  /** None, by default. */
  readonly keychain?: SecretKeysOptions['keychain'];
  readonly choice?: SecretKeysOptions['choice'];
  readonly clock: Clock;
}

/** A store that reports where its key is. */
export interface OwnSecrets extends SecretStore {
  inUse(): Promise<Result<StoreInUse, SecretProblem>>;
}

const OWNER_ONLY = 0o600;
/** A change takes milliseconds, unless the keychain prompts the user first. */
const BUSY_AFTER_MS = 45_000;

export function fileSecrets(options: FileSecretsOptions): OwnSecrets {
  return new FileSecrets(options);
}

/** The contents of the file, and its key. */
interface OpenedFile {
  readonly records: ReadonlyMap<string, string>;
  /** The key of the records; not looked for if there are none. */
  readonly locked: PlacedKey | undefined;
  /** Where the key of a file without secrets was. */
  readonly empty: KeyPlace | undefined;
  readonly damage: SecretProblem | undefined;
}

class FileSecrets implements OwnSecrets {
  readonly #file: string;
  readonly #clock: Clock;
  readonly #keys: SecretKeys;

  constructor({ clock, keychain = noKeychain, choice = 'auto', ...options }: FileSecretsOptions) {
    this.#file = options.file;
    this.#clock = clock;
    this.#keys = new SecretKeys({ ...options, keychain, choice });
  }

  async get(name: string): Promise<Result<string | undefined, SecretProblem>> {
    const invalid = nameProblem(name);
    if (invalid !== undefined) return err(invalid);
    const opened = await this.#open();
    if (!opened.ok) return opened;
    const { records, locked, damage } = opened.value;
    const record = records.get(name);
    // In a damaged file, the secret may have existed.
    if (record === undefined) return damage === undefined ? ok(undefined) : err(damage);
    const value = locked?.key.unlock(name, record);
    return value === undefined ? err(this.#damaged([name])) : ok(value);
  }

  async names(): Promise<Result<readonly string[], SecretProblem>> {
    const opened = await this.#open();
    if (!opened.ok) return opened;
    const { records, damage } = opened.value;
    return damage === undefined ? ok([...records.keys()].toSorted()) : err(damage);
  }

  async set(name: string, value: string): Promise<Result<void, SecretProblem>> {
    const invalid = pairProblem(name, value);
    if (invalid !== undefined) return err(invalid);
    return this.#runExclusively(async () => {
      const opened = await this.#open();
      if (!opened.ok) return opened;
      const relocked = await this.#relock(opened.value);
      if (!relocked.ok) return relocked;
      const { records, next } = relocked.value;
      return this.#write(new Map(records).set(name, next.key.lock(name, value)), next);
    });
  }

  async remove(name: string): Promise<Result<boolean, SecretProblem>> {
    const invalid = nameProblem(name);
    if (invalid !== undefined) return err(invalid);
    const before = await this.#open();
    // If there is nothing to remove, nothing is created either, such as a folder.
    if (!before.ok || !before.value.records.has(name)) return asAbsent(before);
    return this.#runExclusively(async () => {
      const opened = await this.#open();
      if (!opened.ok) return opened;
      const { locked } = opened.value;
      const records = new Map(opened.value.records);
      if (!records.delete(name) || locked === undefined) return asAbsent(opened);
      const written = await this.#write(records, locked);
      return written.ok ? ok(true) : written;
    });
  }

  async inUse(): Promise<Result<StoreInUse, SecretProblem>> {
    const read = await this.#readFile();
    if (!read.ok) return read;
    const isEmpty = read.value === undefined || read.value.records.size === 0;
    return ok(await this.#keys.inUse(isEmpty ? undefined : read.value?.place));
  }

  async #open(): Promise<Result<OpenedFile, SecretProblem>> {
    const read = await this.#readFile();
    if (!read.ok) return read;
    const { value: file } = read;
    if (file === undefined || file.records.size === 0) {
      return ok({ records: new Map(), locked: undefined, empty: file?.place, damage: undefined });
    }
    const { records, place } = file;
    const key = await this.#keys.find(place);
    if (!key.ok) return key;
    const state = secretFileState(file, key.value);
    if (state.kind === 'wrong-key') return err(this.#keys.wrongKey(place));
    const damage = state.kind === 'damaged' ? this.#damaged(state.names) : undefined;
    return ok({ records, locked: { place, key: key.value }, empty: undefined, damage });
  }

  /** Locks the secrets with the key for the next change. */
  async #relock({
    records,
    locked,
    empty,
    damage,
  }: OpenedFile): Promise<Result<RelockedFile, SecretProblem>> {
    // A damaged record cannot be unlocked, so the key stays the same.
    if (locked !== undefined && damage !== undefined) return ok({ records, next: locked });
    const chosen = await this.#keys.choose(locked, empty);
    if (!chosen.ok) return chosen;
    const { value: next } = chosen;
    if (locked === undefined || next === locked) return ok({ records, next });
    const moved = new Map<string, string>();
    for (const [name, record] of records) {
      const value = locked.key.unlock(name, record);
      if (value === undefined) return err(this.#damaged([name]));
      moved.set(name, next.key.lock(name, value));
    }
    return ok({ records: moved, next });
  }

  async #readFile(): Promise<Result<SecretFile | undefined, SecretProblem>> {
    const text = await readTextFile(this.#file, { maxBytes: MAX_FILE_BYTES });
    if (!text.ok) return readProblem(text.error);
    const parsed = parseSecretFile(text.value);
    return parsed.ok ? parsed : err(this.#damaged([]));
  }

  async #write(
    records: ReadonlyMap<string, string>,
    locked: PlacedKey,
  ): Promise<Result<void, SecretProblem>> {
    const text = formatSecretFile(records, locked);
    if (Buffer.byteLength(text) > MAX_FILE_BYTES) {
      return err({ kind: 'full', where: this.#file, limit: MAX_FILE_BYTES });
    }
    await writeFileAtomically(this.#file, text, { mode: OWNER_ONLY });
    return ok(undefined);
  }

  /** Runs a change while no other process makes one. */
  async #runExclusively<T>(
    change: () => Promise<Result<T, SecretProblem>>,
  ): Promise<Result<T, SecretProblem>> {
    const file = this.#file;
    const clock = this.#clock;
    using limit = deadline(BUSY_AFTER_MS, clock, never);
    try {
      await ensureFolder(dirname(file));
      const lock = { signal: limit.signal, clock, timeoutMs: BUSY_AFTER_MS };
      return await withFileLock(file, lock, change);
    } catch (thrown) {
      return err(changeProblem(thrown, file));
    }
  }

  #damaged(names: readonly string[]): SecretProblem {
    return { kind: 'damaged', where: this.#file, names };
  }
}

interface RelockedFile {
  readonly records: ReadonlyMap<string, string>;
  readonly next: PlacedKey;
}

function asAbsent(opened: Result<OpenedFile, SecretProblem>): Result<boolean, SecretProblem> {
  if (!opened.ok) return opened;
  return opened.value.damage === undefined ? ok(false) : err(opened.value.damage);
}

function changeProblem(thrown: unknown, file: string): SecretProblem {
  if (thrown instanceof DeadlineExceeded || thrown instanceof FileLocked) {
    return { kind: 'busy', where: file };
  }
  const data = isObject(thrown) && isObject(thrown['data']) ? thrown['data'] : {};
  const code = systemCode(thrown);
  // Not an error of the system, so a bug.
  if (code === undefined) throw thrown;
  const where = typeof data['path'] === 'string' ? data['path'] : file;
  return { kind: 'unwritable', where, code };
}
