// Credentials in the store of secrets, each as one secret under a name that reveals nothing. Each record has its own
// lock across processes: a refresh sends a request, and the whole store should not stay locked during it.

import { join } from 'node:path';
import { type Clock, codeOf, err, isObject, ok, parseJson, type Result } from '@plugboard/base';
import { ensureFolder, withFileLock } from '../platform/index.ts';
import type { SecretProblem, SecretStore } from '../vault/index.ts';
import type { CredentialStore, Shelf, StoreProblem } from './credential-store.ts';
import {
  CREDENTIAL_FIELDS,
  recordName,
  REGISTRATION_FIELDS,
  SERVER_FIELDS,
} from './record-name.ts';

export interface VaultCredentialsOptions {
  readonly secrets: SecretStore;
  /** The folder of the locks. */
  readonly folder: string;
  readonly clock: Clock;
}

/** The holder of a lock waits for a server, which may be slow. */
const PATIENCE_MS = 60_000;
const LIMITS = { maxLength: 64 * 1024, maxDepth: 16 };

export function vaultCredentials(options: VaultCredentialsOptions): CredentialStore {
  return {
    credentials: shelf('oauth.credential', CREDENTIAL_FIELDS, options),
    registrations: shelf('oauth.client', REGISTRATION_FIELDS, options),
    servers: shelf('oauth.server', SERVER_FIELDS, options),
  };
}

function shelf<Key extends object, T extends Key>(
  prefix: string,
  fields: readonly (keyof Key & string)[],
  { secrets, folder, clock }: VaultCredentialsOptions,
): Shelf<Key, T> {
  const nameOf = (key: Key): string => `${prefix}.${recordName(key, fields)}`;
  const read = async (name: string): Promise<Result<T | undefined, StoreProblem>> => {
    const kept = await secrets.get(name);
    return kept.ok ? ok(recordOf<T>(kept.value, name, nameOf)) : err(failed(kept.error));
  };
  const write = async (name: string, value: T | undefined): Promise<Result<void, StoreProblem>> => {
    const written =
      value === undefined
        ? await secrets.remove(name)
        : await secrets.set(name, JSON.stringify(value));
    return written.ok ? ok(undefined) : err(failed(written.error));
  };
  return {
    read: (key) => read(nameOf(key)),
    async update(key, change, signal) {
      const name = nameOf(key);
      const lock = { signal, clock, timeoutMs: PATIENCE_MS };
      return inTurn(join(folder, name), lock, async () => {
        const before = await read(name);
        if (!before.ok) return before;
        const after = await change(before.value);
        if (after === before.value) return ok(after);
        const written = await write(name, after);
        return written.ok ? ok(after) : written;
      });
    },
    async list() {
      const names = await secrets.names();
      if (!names.ok) return err(failed(names.error));
      const records: T[] = [];
      for (const name of names.value.filter((each) => each.startsWith(`${prefix}.`))) {
        const kept = await read(name);
        if (!kept.ok) return kept;
        if (kept.value !== undefined) records.push(kept.value);
      }
      return ok(records);
    },
  };
}

/** `undefined` if the text is not the record of this name, as when a record was moved there. */
function recordOf<T>(
  text: string | undefined,
  name: string,
  nameOf: (record: T) => string,
): T | undefined {
  if (text === undefined) return undefined;
  const parsed = parseJson(text, LIMITS);
  if (!parsed.ok || !isObject(parsed.value)) return undefined;
  // Only this file writes records; the name is a hash of the key that is in them.
  const record = parsed.value as unknown as T;
  return nameOf(record) === name ? record : undefined;
}

async function inTurn<T>(
  path: string,
  lock: Parameters<typeof withFileLock>[1],
  work: () => Promise<Result<T, StoreProblem>>,
): Promise<Result<T, StoreProblem>> {
  await ensureFolder(join(path, '..'));
  try {
    return await withFileLock(path, lock, work);
  } catch (thrown) {
    const code = codeOf(thrown);
    if (code !== 'file-locked' && code !== 'write-failed') throw thrown;
    const message =
      code === 'file-locked' ? 'another process keeps it locked' : 'it cannot be locked';
    return err({ kind: 'store-failed', message });
  }
}

function failed({ kind }: SecretProblem): StoreProblem {
  return { kind: 'store-failed', message: `the store of secrets: ${kind}` };
}
