import { describe, expect, it } from 'vitest';
import { factsOf, type ProtocolFailure } from '../../src/protocol/index.ts';

/** Only the kind decides, but for `http`. */
function factsOfKind(kind: string): ReturnType<typeof factsOf> {
  return factsOf({ kind } as ProtocolFailure);
}

describe('what follows from a failure', () => {
  it.each(['exited', 'broken-frame', 'answers-untaken'])(
    'a server that ended by itself has crashed: %s',
    (kind) => expect(factsOfKind(kind)).toMatchObject({ isCrash: true, isLost: true }),
  );

  it.each(['closed', 'session-expired', 'unreachable', 'spawn-failed', 'timeout'])(
    'one that is gone, or was never there, has not: %s',
    (kind) => {
      expect(factsOfKind(kind).isLost).toBe(true);
      expect(factsOfKind(kind).isCrash).toBeUndefined();
    },
  );

  it.each(['http', 'not-mcp', 'rpc', 'too-large', 'invalid-result', 'wrong-era', 'unexpected'])(
    'a wrong answer leaves the connection as it is, and may be the fault of the era: %s',
    (kind) => expect(factsOfKind(kind)).toEqual({ isLost: false, era: 'reopen' }),
  );

  it('a server that reports an internal error is not tried in another era', () => {
    const url = 'https://example.com';
    expect(factsOf({ kind: 'http', url, status: 503 }).era).toBe('keep');
    expect(factsOf({ kind: 'http', url, status: 404 }).era).toBe('reopen');
  });

  it('one that did not answer in time is not asked in another era either, but the verdict goes', () => {
    expect(factsOfKind('timeout').era).toBe('drop');
  });
});
