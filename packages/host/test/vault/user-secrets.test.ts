import { err, ok } from '@plugboard/base';
import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { memorySecrets, userSecrets } from '../../src/vault/index.ts';

describe('the secrets of the user', () => {
  verifies('AUT-10');

  it('exclude those that programs store for themselves', async () => {
    const store = memorySecrets();
    const own = 'oauth.credential.0123';
    await store.set(own, 'a token');
    await store.set('oauth', 'a name like any other');
    const people = userSecrets(store);
    expect([
      await people.get(own),
      await people.set(own, 'mine'),
      await people.remove(own),
      await people.names(),
      await people.get('oauth'),
    ]).toEqual([
      ok(undefined),
      err({ kind: 'invalid-name' }),
      ok(false),
      ok(['oauth']),
      ok('a name like any other'),
    ]);
    expect(await store.get(own)).toEqual(ok('a token'));
  });
});
