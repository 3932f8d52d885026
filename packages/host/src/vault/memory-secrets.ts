// Secrets in memory, for tests and for programs with their own storage.

import { err, ok } from '@plugboard/base';
import { nameProblem, pairProblem, type SecretStore } from './secret-store.ts';

export function memorySecrets(): SecretStore {
  const secrets = new Map<string, string>();
  return {
    async get(name) {
      const problem = nameProblem(name);
      return problem === undefined ? ok(secrets.get(name)) : err(problem);
    },
    async set(name, value) {
      const problem = pairProblem(name, value);
      if (problem !== undefined) return err(problem);
      secrets.set(name, value);
      return ok(undefined);
    },
    async remove(name) {
      const problem = nameProblem(name);
      return problem === undefined ? ok(secrets.delete(name)) : err(problem);
    },
    async names() {
      return ok([...secrets.keys()].toSorted());
    },
  };
}
