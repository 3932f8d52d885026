// Adapts the user's store of secrets for connections: the value, or a reason that contains no secret.

import { err } from '@plugboard/base';
import type { SecretReader } from '../connection/index.ts';
import type { SecretProblem, SecretStore } from '../vault/index.ts';

export function storedSecrets(store: SecretStore): SecretReader {
  return {
    async get(name) {
      const read = await store.get(name);
      return read.ok ? read : err({ message: REASONS[read.error.kind] });
    },
  };
}

const REASONS: Readonly<Record<SecretProblem['kind'], string>> = {
  'invalid-name': 'no secret can have this name',
  'invalid-value': 'the stored value is not text',
  'too-long': 'what is stored is too long',
  unreadable: 'the store cannot be read',
  unwritable: 'the store cannot be written',
  full: 'the store is full',
  busy: 'another process has been changing the store for too long',
  damaged: 'the store is damaged',
  'no-key': 'the key of the store is gone',
  'wrong-key': 'the store was written with another key, or on another machine',
  'no-keychain':
    'the key of the store is in the keychain, which does not give it; see `plugboard secret list`',
  'invalid-choice': 'PLUGBOARD_SECRETS is none of auto, keychain and file',
};
