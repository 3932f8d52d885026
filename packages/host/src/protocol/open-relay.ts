// Makes a relay of a link: the messages of a server, passed on to a client that is not this host.

import { err, ok } from '@plugboard/base';
import { classify } from './classify.ts';
import type { RelayPeer } from './neutral/relay.ts';
import type { Establish } from './open.ts';
import type { RelaySession } from './relay-session.ts';

export function relaySession(peer: RelayPeer): Establish<RelaySession> {
  return async (link, { signal, timeoutMs, clock, guard }) => {
    const { RelaySession: Relay } = await import('./relay-session.ts');
    const judge =
      link.transport.hasPerRequestStream === true
        ? (await import('./classify-sdk.ts')).sdkFailureOf
        : undefined;
    const session = new Relay({ link, clock, peer, guard, judge });
    const abort = (): void => void link.transport.close();
    signal.addEventListener('abort', abort, { once: true });
    try {
      await session.begin(signal, timeoutMs);
      signal.throwIfAborted();
      return ok(session);
    } catch (thrown) {
      const { url } = link;
      const failure = classify(thrown, { signal, timeoutMs, url, end: () => link.end() }, judge);
      await link.transport.close();
      return err(failure);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  };
}
