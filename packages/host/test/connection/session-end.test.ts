import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { renewableEnd, signedOutEnd } from '../../src/connection/session-end.ts';
import type { ProtocolFailure } from '../../src/protocol/index.ts';

const refused = { kind: 'unauthorized', url: 'https://e.com', status: 401 } as const;
const forbidden = { kind: 'unauthorized', url: 'https://e.com', status: 403 } as const;
const signedOut: ProtocolFailure = {
  ...refused,
  reason: { kind: 'unexpected', message: 'no' },
};

describe('a session with refused credentials', () => {
  verifies('CFG-15');

  it('ends as expired if newer ones are available', () => {
    expect(renewableEnd(refused)).toEqual({ kind: 'credentials-expired', url: 'https://e.com' });
  });

  it('ends with the failure itself if the user has to sign in', () => {
    expect(signedOutEnd(signedOut)).toBe(signedOut);
  });

  it.each<ProtocolFailure>([
    forbidden,
    { kind: 'rpc', code: 401, message: 'no' },
    { kind: 'closed' },
  ])('continues after $kind $status', (failure) => {
    expect([renewableEnd(failure), signedOutEnd(failure)]).toEqual([undefined, undefined]);
  });
});
