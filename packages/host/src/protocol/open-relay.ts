// Makes a relay of a link: it passes the messages of a server on to a client that is not this host.

import { ok } from '@plugboard/base';
import { connectLink } from './connect-link.ts';
import type { RelayPeer } from './neutral/relay.ts';
import type { Establish } from './open.ts';
import type { RelaySession } from './relay-session.ts';

export function relaySession(peer: RelayPeer): Establish<RelaySession> {
  return async (link, options) => {
    const { signal, timeoutMs, clock, guard } = options;
    const { RelaySession: Relay } = await import('./relay-session.ts');
    const judge =
      link.transport.hasPerRequestStream === true
        ? (await import('./classify-sdk.ts')).sdkFailureOf
        : undefined;
    const session = new Relay({ link, clock, peer, guard, judge });
    const connect = (): Promise<void> => session.begin(signal, timeoutMs);
    const connected = await connectLink(link, options, { judge, connect });
    return connected.ok ? ok(session) : connected;
  };
}
