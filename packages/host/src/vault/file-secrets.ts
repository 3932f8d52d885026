// Secrets in an encrypted file, for machines without a keychain. The key lies in another folder and is
// bound to the machine. Changes of several processes follow one another, and a file that is not what
// was written is a problem, never a wrong value.

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
  createFileOnce,
  ensureFolder,
  type FileProblem,
  machineId,
  readTextFile,
  systemCode,
  withFileLock,
  writeFileAtomically,
} from '../platform/index.ts';
import {
  formatSecretFile,
  MAX_FILE_BYTES,
  parseSecretFile,
  type SecretFile,
  stateOf,
} from './secret-file.ts';
import { newKeyText, secretKey, type SecretKey } from './secret-key.ts';
import { nameProblem, pairProblem, type SecretProblem, type SecretStore } from './secret-store.ts';

export interface FileSecretsOptions {
  readonly file: string;
  /** Not in the folder of `file`, so that who gets the one has not got the other. */
  readonly keyFile: string;
  /** A word for this machine. Left out: the system is asked. */
  readonly machine?: () => Promise<string>;
  readonly clock: Clock;
}

const OWNER_ONLY = 0o600;
const MAX_KEY_BYTES = 1024;
/** A change takes milliseconds, so whoever takes longer does not end at all. */
const BUSY_AFTER_MS = 10_000;

export function fileSecrets(options: FileSecretsOptions): SecretStore {
  return new FileSecrets(options);
}

/** What the file holds, and with what it opens. */
interface Opened {
  readonly records: ReadonlyMap<string, string>;
  /** Not needed, and not looked for, where there is nothing to open. */
  readonly key: SecretKey | undefined;
  readonly damage: SecretProblem | undefined;
}

const EMPTY: Opened = { records: new Map(), key: undefined, damage: undefined };

class FileSecrets implements SecretStore {
  readonly #options: FileSecretsOptions;

  constructor(options: FileSecretsOptions) {
    this.#options = options;
  }

  async get(name: string): Promise<Result<string | undefined, SecretProblem>> {
    const invalid = nameProblem(name);
    if (invalid !== undefined) return err(invalid);
    const opened = await this.#open();
    if (!opened.ok) return opened;
    const { records, key, damage } = opened.value;
    const record = records.get(name);
    // In a damaged file it may have been there.
    if (record === undefined) return damage === undefined ? ok(undefined) : err(damage);
    const value = key?.unlock(name, record);
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
    return this.#alone(async () => {
      const opened = await this.#open();
      if (!opened.ok) return opened;
      const key = opened.value.key === undefined ? await this.#makeKey() : ok(opened.value.key);
      if (!key.ok) return key;
      // What else is damaged stays so: its secret is told from the others by its own lock.
      const records = new Map(opened.value.records).set(name, key.value.lock(name, value));
      return this.#write(records, key.value);
    });
  }

  async remove(name: string): Promise<Result<boolean, SecretProblem>> {
    const invalid = nameProblem(name);
    if (invalid !== undefined) return err(invalid);
    const before = await this.#open();
    // Nothing to do leaves no trace, such as a new folder.
    if (!before.ok || !before.value.records.has(name)) return asAbsent(before);
    return this.#alone(async () => {
      const opened = await this.#open();
      if (!opened.ok) return opened;
      const { key } = opened.value;
      const records = new Map(opened.value.records);
      if (!records.delete(name) || key === undefined) return asAbsent(opened);
      const written = await this.#write(records, key);
      return written.ok ? ok(true) : written;
    });
  }

  async #open(): Promise<Result<Opened, SecretProblem>> {
    const { file, keyFile } = this.#options;
    const read = await this.#readFile();
    if (!read.ok) return read;
    if (read.value === undefined || read.value.records.size === 0) return ok(EMPTY);
    const key = await this.#readKey();
    if (!key.ok) return key;
    if (key.value === undefined) return err({ kind: 'no-key', where: file, keyFile });
    const state = stateOf(read.value, key.value);
    if (state.kind === 'wrong-key') return err({ kind: 'wrong-key', where: file, keyFile });
    return ok({
      records: read.value.records,
      key: key.value,
      damage: state.kind === 'damaged' ? this.#damaged(state.names) : undefined,
    });
  }

  async #readFile(): Promise<Result<SecretFile | undefined, SecretProblem>> {
    const { file } = this.#options;
    const text = await readTextFile(file, { maxBytes: MAX_FILE_BYTES });
    if (!text.ok) return readProblem(text.error);
    const parsed = parseSecretFile(text.value);
    return parsed.ok ? parsed : err(this.#damaged([]));
  }

  async #readKey(): Promise<Result<SecretKey | undefined, SecretProblem>> {
    const { keyFile, machine = () => machineId() } = this.#options;
    const text = await readTextFile(keyFile, { maxBytes: MAX_KEY_BYTES });
    if (!text.ok) return readProblem(text.error);
    const key = secretKey(text.value, await machine());
    return key === undefined ? err({ kind: 'damaged', where: keyFile, names: [] }) : ok(key);
  }

  /** The key of whoever was first, if that was another process. */
  async #makeKey(): Promise<Result<SecretKey, SecretProblem>> {
    const { keyFile } = this.#options;
    await ensureFolder(dirname(keyFile));
    await createFileOnce(keyFile, newKeyText());
    const key = await this.#readKey();
    if (!key.ok) return key;
    return key.value === undefined
      ? err({ kind: 'unreadable', where: keyFile, code: 'ENOENT' })
      : ok(key.value);
  }

  async #write(
    records: ReadonlyMap<string, string>,
    key: SecretKey,
  ): Promise<Result<void, SecretProblem>> {
    const { file } = this.#options;
    const text = formatSecretFile(records, key);
    if (Buffer.byteLength(text) > MAX_FILE_BYTES) {
      return err({ kind: 'full', where: file, limit: MAX_FILE_BYTES });
    }
    await writeFileAtomically(file, text, { mode: OWNER_ONLY });
    return ok(undefined);
  }

  /** Runs a change while no other process makes one. */
  async #alone<T>(
    change: () => Promise<Result<T, SecretProblem>>,
  ): Promise<Result<T, SecretProblem>> {
    const { file, clock } = this.#options;
    using limit = deadline(BUSY_AFTER_MS, clock, never);
    try {
      await ensureFolder(dirname(file));
      return await withFileLock(file, { signal: limit.signal, clock }, change);
    } catch (thrown) {
      return err(changeProblem(thrown, file));
    }
  }

  #damaged(names: readonly string[]): SecretProblem {
    return { kind: 'damaged', where: this.#options.file, names };
  }
}

function asAbsent(opened: Result<Opened, SecretProblem>): Result<boolean, SecretProblem> {
  if (!opened.ok) return opened;
  return opened.value.damage === undefined ? ok(false) : err(opened.value.damage);
}

function readProblem(problem: FileProblem): Result<undefined, SecretProblem> {
  const where = problem.path;
  switch (problem.kind) {
    case 'missing':
      return ok(undefined);
    case 'folder':
      return err({ kind: 'unreadable', where, code: 'EISDIR' });
    case 'unreadable':
      return err({ kind: 'unreadable', where, code: problem.code });
    case 'too-large':
    case 'not-text':
      return err({ kind: 'damaged', where, names: [] });
    default:
      return problem satisfies never;
  }
}

function changeProblem(thrown: unknown, file: string): SecretProblem {
  if (thrown instanceof DeadlineExceeded) return { kind: 'busy', where: file };
  const data = isObject(thrown) && isObject(thrown['data']) ? thrown['data'] : {};
  const code = systemCode(thrown);
  // Not from the system, so a mistake of ours.
  if (code === undefined) throw thrown;
  const where = typeof data['path'] === 'string' ? data['path'] : file;
  return { kind: 'unwritable', where, code };
}
