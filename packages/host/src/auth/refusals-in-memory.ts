// Refusals in memory, for programs that keep credentials in their own store.

import type { Clock } from '@plugboard/base';
import { recordName, REFUSAL_FIELDS, SERVER_FIELDS } from './record-name.ts';
import {
  isEndedBy,
  isRecent,
  type Refusal,
  type RefusalKey,
  type RefusalMemory,
} from './refusal-memory.ts';

export function refusalsInMemory(clock: Clock): RefusalMemory {
  const kept = new Map<string, Refusal & RefusalKey>();
  return {
    recall(key) {
      const found = kept.get(recordName(key, REFUSAL_FIELDS));
      const counts = found !== undefined && isRecent(found, clock.now());
      return Promise.resolve(counts ? found : undefined);
    },
    remember(key, refusal) {
      kept.set(recordName(key, REFUSAL_FIELDS), { ...key, ...refusal });
      return Promise.resolve();
    },
    forget(signedIn) {
      const server = recordName(signedIn.server, SERVER_FIELDS);
      for (const [name, refusal] of kept) {
        const isIts = recordName(refusal, SERVER_FIELDS) === server;
        if (isIts || isEndedBy(refusal, signedIn)) kept.delete(name);
      }
      return Promise.resolve();
    },
  };
}
