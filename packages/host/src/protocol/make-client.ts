// Chooses the client of a session: the SDK's, which is loaded for that, unless all that it would find out is
// known already.

import type { Clock } from '@plugboard/base';
import type { KnownHandshake } from './light-client.ts';
import { capabilitiesOf } from './neutral/capabilities.ts';
import type { InboundPort } from './neutral/inbound.ts';
import type { EraPreference } from './neutral/launch.ts';
import type { ServerIdentity } from './neutral/model.ts';
import { answerRoots } from './roots.ts';
import type { MadeClient } from './session-client.ts';

export interface ClientOptions {
  readonly client: ServerIdentity;
  readonly inbound: InboundPort;
  readonly clock: Clock;
}

interface ReachedServer {
  readonly era: EraPreference;
  /** What the server answered to the handshake of a host before us. */
  handshake?(): unknown;
}

export async function makeClient(link: ReachedServer, options: ClientOptions): Promise<MadeClient> {
  const { client: identity, inbound, clock } = options;
  const known = await knownHandshake(link);
  if (known === undefined) {
    const { sdkClient } = await import('./sdk-client.ts');
    return sdkClient(identity, inbound, link.era);
  }
  const { lightClient } = await import('./light-client.ts');
  const made = lightClient({ identity, capabilities: capabilitiesOf(inbound), known, clock });
  if (inbound.roots !== undefined) answerRoots(made.client, inbound.roots);
  if (inbound.sample !== undefined) {
    const { answerSampling } = await import('./sampling.ts');
    answerSampling(made.client, inbound.sample);
  }
  return made;
}

async function knownHandshake(link: ReachedServer): Promise<KnownHandshake | undefined> {
  const result = link.era === 'legacy' ? link.handshake?.() : undefined;
  if (result === undefined) return undefined;
  const { readHandshake } = await import('./light-client.ts');
  return readHandshake(result);
}
