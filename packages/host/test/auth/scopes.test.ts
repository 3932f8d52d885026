import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifies } from '@plugboard/testkit';
import { scopeToAsk, uniteScopes, wantsMore } from '../../src/auth/scopes.ts';

const scope = fc.option(
  fc.array(fc.stringMatching(/^[a-z:]{1,6}$/), { maxLength: 5 }).map((words) => words.join(' ')),
  { nil: undefined },
);

describe('scopes', () => {
  it('are united without loss and without repetition', () => {
    fc.assert(
      fc.property(scope, scope, (a, b) => {
        const united = uniteScopes(a, b);
        expect(wantsMore(a, united)).toBe(false);
        expect(wantsMore(b, united)).toBe(false);
        const words = united?.split(' ') ?? [];
        expect(new Set(words).size).toBe(words.length);
        expect(uniteScopes(united, a)).toBe(united);
      }),
    );
  });

  it('are requested as the challenge says, else as the resource says, else not at all', () => {
    verifies('AUT-03');
    const server = { resourceScopes: ['a', 'b'], offersOfflineAccess: false };
    const none = { configured: undefined, challenged: undefined, before: undefined };
    expect(scopeToAsk(server, { ...none, challenged: 'c' })).toBe('c');
    expect(scopeToAsk(server, none)).toBe('a b');
    expect(scopeToAsk({ ...server, resourceScopes: undefined }, none)).toBe(undefined);
    expect(scopeToAsk(server, { ...none, before: 'a', challenged: 'c' })).toBe('a c');
  });

  it('include offline access if that is supported and any scope is requested', () => {
    verifies('AUT-03');
    const server = { resourceScopes: undefined, offersOfflineAccess: true };
    const none = { configured: undefined, challenged: undefined, before: undefined };
    expect(scopeToAsk(server, none)).toBe(undefined);
    expect(scopeToAsk(server, { ...none, challenged: 'c' })).toBe('c offline_access');
  });
});
