// Creates the SDK's client for a session: it identifies the host, negotiates the era, and declares the capabilities.

import { Client } from '@modelcontextprotocol/client';
import { sdkFailureOf } from './classify-sdk.ts';
import type { MadeClient } from './make-client.ts';
import { MODERN_REVISION } from './modern/meta-keys.ts';
import type { EraPreference } from './neutral/launch.ts';
import type { ServerIdentity } from './neutral/model.ts';

export function sdkClient(
  identity: ServerIdentity,
  capabilities: Readonly<Record<string, object>>,
  era: EraPreference,
): MadeClient {
  const mode = era === 'modern' ? { pin: MODERN_REVISION } : era;
  const client = new Client(
    { ...identity },
    { capabilities: { ...capabilities }, versionNegotiation: { mode } },
  );
  return { client, judge: sdkFailureOf };
}
