import { err, never, ok } from '@plugboard/base';
import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { renewableSession } from '../../src/connection/renewable-session.ts';
import type { CallOptions, ProtocolFailure, Session } from '../../src/protocol/index.ts';
import { connectionOver, decidedOpener, StillSession } from './still-session.ts';

const options: CallOptions = { signal: never, idleMs: 1, hardMs: 1 };
const call = { name: 'x', arguments: {} };
const refused = { kind: 'unauthorized', url: 'https://e.com', status: 401 } as const;
const expired = { kind: 'credentials-expired', url: 'https://e.com' } as const;

function answering(failure: ProtocolFailure): Session {
  return { ...new StillSession().session, callTool: () => Promise.resolve(err(failure)) };
}

describe('a session that can be renewed', () => {
  verifies('CFG-15');

  it('is gone before whoever was refused can ask for it again', async () => {
    const { open, decide } = decidedOpener();
    const connection = connectionOver(open);
    const asked = connection.session(never);
    decide[0]?.(ok(renewableSession(answering(refused))));
    const session = await asked;
    if (!session.ok) throw new Error('no session');
    expect(await session.value.callTool(call, options)).toEqual(err(expired));
    expect(connection.state).toEqual({ kind: 'idle' });
  });

  it.each<ProtocolFailure>([
    { kind: 'unauthorized', url: 'https://e.com', status: 403 },
    { kind: 'rpc', code: 401, message: 'no' },
    { kind: 'closed' },
  ])('goes on after $kind $status', async (failure) => {
    const still = new StillSession();
    const session = renewableSession({
      ...still.session,
      callTool: () => Promise.resolve(err(failure)),
    });
    expect(await session.callTool(call, options)).toEqual(err(failure));
    still.end({ kind: 'cancelled' });
    expect(await session.closed).toEqual({ kind: 'cancelled' });
  });
});
