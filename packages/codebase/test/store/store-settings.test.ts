import { err, ok } from '@plugboard/base';
import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { parseStoreSettings } from '../../src/store/index.ts';

const url = 'https://qdrant.example:6333';

describe('the store setting', () => {
  verifies('COD-08');

  it.each([
    [undefined, { kind: 'embedded' }],
    ['embedded', { kind: 'embedded' }],
    [
      { kind: 'qdrant', url },
      { kind: 'qdrant', url },
    ],
    [
      {
        kind: 'qdrant',
        url: [url, 'http://127.0.0.1:1'],
        apiKeyVariable: 'KEY',
        collection: 'a-b',
        shards: 3,
        replicas: 2,
      },
      {
        kind: 'qdrant',
        url: [url, 'http://127.0.0.1:1'],
        apiKeyVariable: 'KEY',
        collection: 'a-b',
        shards: 3,
        replicas: 2,
      },
    ],
  ])('accepts %j', (value, settings) => {
    expect(parseStoreSettings(value)).toEqual(ok(settings));
  });

  it.each([
    [7, 'store must be an object with a "kind" ("embedded", "qdrant")'],
    [{ kind: 'redis' }, 'store.kind must be one of "embedded", "qdrant"'],
    [{ kind: 'embedded', url }, 'store.url is unknown; "embedded" has no other fields'],
    [{ kind: 'qdrant' }, 'store.url must be an address that begins with https:// or http://'],
    [{ kind: 'qdrant', url: [] }, 'store.url must have 1 to 32 addresses'],
    [
      { kind: 'qdrant', url: 'ftp://a' },
      'store.url must be an address that begins with https:// or http://',
    ],
    [
      { kind: 'qdrant', url: 'https://me:secret@a' },
      'store.url must not hold a password; fix: name a variable in apiKeyVariable',
    ],
    [
      { kind: 'qdrant', url: 'http://10.0.0.1:6333', apiKeyVariable: 'KEY' },
      'store.url must begin with https:// when apiKeyVariable is set, or anyone on the way can read the key',
    ],
    [
      { kind: 'qdrant', url, apiKeyVariable: 'my key!' },
      'store.apiKeyVariable must be the name of a variable, not the key itself',
    ],
    [
      { kind: 'qdrant', url, collection: '../other' },
      'store.collection must be 1 to 100 letters, digits, "-" and "_"',
    ],
    [{ kind: 'qdrant', url, shards: 0 }, 'store.shards must be a whole number from 1 to 1024'],
    [{ kind: 'qdrant', url, replicas: 1.5 }, 'store.replicas must be a whole number from 1 to 64'],
    [
      { kind: 'qdrant', url, replica: 2 },
      'store.replica is unknown; "qdrant" has url, apiKeyVariable, collection, shards, replicas',
    ],
  ])('explains what is wrong with %j', (value, problem) => {
    expect(parseStoreSettings(value)).toEqual(err([problem]));
  });
});
