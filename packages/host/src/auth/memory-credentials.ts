// Credentials in memory, for programs that store none, and for tests.

import { KeyedMutex, ok } from '@plugboard/base';
import type { CredentialStore, Shelf } from './credential-store.ts';
import {
  CREDENTIAL_FIELDS,
  recordName,
  REGISTRATION_FIELDS,
  SERVER_FIELDS,
} from './record-name.ts';

export function memoryCredentials(): CredentialStore {
  return {
    credentials: shelf(CREDENTIAL_FIELDS),
    registrations: shelf(REGISTRATION_FIELDS),
    servers: shelf(SERVER_FIELDS),
  };
}

function shelf<Key extends object, T extends Key>(
  fields: readonly (keyof Key & string)[],
): Shelf<Key, T> {
  const records = new Map<string, T>();
  const turns = new KeyedMutex<string>();
  return {
    read: (key) => Promise.resolve(ok(records.get(recordName(key, fields)))),
    async update(key, change, signal) {
      const name = recordName(key, fields);
      return turns.run(name, signal, async () => {
        const next = await change(records.get(name));
        if (next === undefined) records.delete(name);
        else records.set(name, next);
        return ok(next);
      });
    },
    list: () => Promise.resolve(ok([...records.values()])),
  };
}
