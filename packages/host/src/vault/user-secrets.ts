// A store of secrets as users and their entries see it: without the secrets that Plugboard itself stores there.
// Otherwise an entry could name the tokens of a sign-in and send them to any address.

import { err, ok } from '@plugboard/base';
import type { SecretStore } from './secret-store.ts';

/** The beginning of names that Plugboard reserves for itself. */
const OWN = /^oauth\./;

export function userSecrets<Store extends SecretStore>(store: Store): Store {
  return {
    ...store,
    get: async (name) => (OWN.test(name) ? ok(undefined) : store.get(name)),
    set: async (name, value) =>
      OWN.test(name) ? err({ kind: 'invalid-name' }) : store.set(name, value),
    remove: async (name) => (OWN.test(name) ? ok(false) : store.remove(name)),
    async names() {
      const names = await store.names();
      return names.ok ? ok(names.value.filter((name) => !OWN.test(name))) : names;
    },
  };
}
