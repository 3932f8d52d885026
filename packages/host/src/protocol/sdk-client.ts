// Creates the SDK's client for a session: it identifies the host, negotiates the requested era, and declares
// the capabilities that have an answerer. Elicitation is handled in elicitation.ts.

import { Client } from '@modelcontextprotocol/client';
import { sdkFailureOf } from './classify-sdk.ts';
import { capabilitiesOf } from './neutral/capabilities.ts';
import type { InboundPort } from './neutral/inbound.ts';
import type { EraPreference } from './neutral/launch.ts';
import type { ServerIdentity } from './neutral/model.ts';
import { answerRoots } from './roots.ts';
import { answerSampling } from './sampling.ts';
import type { MadeClient } from './session-client.ts';

const MODERN_REVISION = '2026-07-28';

export function sdkClient(
  identity: ServerIdentity,
  inbound: InboundPort,
  era: EraPreference,
): MadeClient {
  const client = new Client(
    { ...identity },
    {
      capabilities: capabilitiesOf(inbound),
      versionNegotiation: { mode: era === 'modern' ? { pin: MODERN_REVISION } : era },
    },
  );
  const { sample, roots } = inbound;
  if (sample !== undefined) answerSampling(client, sample);
  if (roots !== undefined) answerRoots(client, roots);
  return { client, judge: sdkFailureOf };
}
