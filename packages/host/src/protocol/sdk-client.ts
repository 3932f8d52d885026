// The SDK's client as a session needs it: it introduces itself, negotiates the era that is wanted, and
// offers to answer what somebody is there to answer. Questions have a hand of their own.

import { Client } from '@modelcontextprotocol/client';
import { ELICITATION, ROOTS_CAPABILITY, SAMPLING_CAPABILITY } from './neutral/capabilities.ts';
import type { InboundPort } from './neutral/inbound.ts';
import type { EraPreference } from './neutral/launch.ts';
import type { ServerIdentity } from './neutral/model.ts';
import { answerRoots } from './roots.ts';
import { answerSampling } from './sampling.ts';

const MODERN_REVISION = '2026-07-28';

export function makeClient(
  identity: ServerIdentity,
  { elicit, sample, roots }: InboundPort,
  era: EraPreference,
): Client {
  const client = new Client(
    { ...identity },
    {
      capabilities: {
        ...(elicit === undefined ? {} : ELICITATION),
        ...(sample === undefined ? {} : SAMPLING_CAPABILITY),
        ...(roots === undefined ? {} : ROOTS_CAPABILITY),
      },
      versionNegotiation: { mode: era === 'modern' ? { pin: MODERN_REVISION } : era },
    },
  );
  if (sample !== undefined) answerSampling(client, sample);
  if (roots !== undefined) answerRoots(client, roots);
  return client;
}
