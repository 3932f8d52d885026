import { describe, expect, it } from 'vitest';
import { factsOf, type ProtocolFailure } from '../../src/protocol/index.ts';

/** Only the kind decides, except for `http`. */
function factsOfKind(kind: string): ReturnType<typeof factsOf> {
  return factsOf({ kind } as ProtocolFailure);
}

describe('the facts of a failure', () => {
  it.each(['exited', 'broken-frame', 'answers-untaken'])(
    'include a crash if the server ended by itself: %s',
    (kind) => expect(factsOfKind(kind)).toMatchObject({ isCrash: true, isLost: true }),
  );

  it.each(['closed', 'session-expired', 'unreachable', 'spawn-failed', 'timeout'])(
    'include a lost connection without a crash if the server is gone or was never reached: %s',
    (kind) => {
      expect(factsOfKind(kind).isLost).toBe(true);
      expect(factsOfKind(kind).isCrash).toBeUndefined();
    },
  );

  it.each(['http', 'not-mcp', 'rpc', 'too-large', 'invalid-result', 'wrong-era', 'unexpected'])(
    'of a wrong answer keep the connection, and suggest another era: %s',
    (kind) => {
      const step = kind === 'wrong-era' ? 'era' : undefined;
      expect(factsOfKind(kind)).toEqual({ isLost: false, era: 'reopen', step });
    },
  );

  it('keep the era after an internal error of the server', () => {
    const url = 'https://example.com';
    expect(factsOf({ kind: 'http', url, status: 503 }).era).toBe('keep');
    expect(factsOf({ kind: 'http', url, status: 404 }).era).toBe('reopen');
  });

  it.each([
    [500, true],
    [503, true],
    [408, true],
    [429, true],
    [400, undefined],
    [404, undefined],
  ])('let a host connect again only if the status may soon be another: %s', (status, expected) => {
    const failure = { kind: 'http', url: 'https://example.com', status } as const;
    expect(factsOf(failure).isTransient).toBe(expected);
  });

  it('drop the verdict on the era after a timeout, without another attempt', () => {
    expect(factsOfKind('timeout').era).toBe('drop');
  });
});
