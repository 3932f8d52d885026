// Chooses the client of a session: our own for a legacy server on one stream; that of the SDK, which is loaded for this,
// for the modern era and for Streamable HTTP.

import type { Clock } from '@plugboard/base';
import type { JudgeSdkError } from './classify.ts';
import type { Link } from './link-to.ts';
import { legacyClient } from './legacy-client.ts';
import { readHandshake } from './legacy-handshake.ts';
import { capabilitiesOf, type InboundPort } from './neutral/inbound-requests.ts';
import type { ServerIdentity } from './neutral/model.ts';
import { answerRoots } from './roots.ts';
import { answerSampling } from './sampling.ts';
import type { SessionClient } from './session-client.ts';

export interface ClientOptions {
  readonly client: ServerIdentity;
  readonly inbound: InboundPort;
  readonly clock: Clock;
}

export interface MadeClient {
  readonly client: SessionClient;
  /** Classifies the errors of the SDK's client. */
  readonly judge?: JudgeSdkError;
}

export async function makeClient(link: Link, options: ClientOptions): Promise<MadeClient> {
  const made = await createClient(link, options);
  for (const key of ANSWERED) answer(key, made.client, options.inbound);
  return made;
}

/** The session itself handles elicitation, because it pauses its time limits meanwhile. */
type AnsweredHere = Exclude<keyof InboundPort, 'elicit'>;

const ANSWERS: {
  readonly [Key in AnsweredHere]: (
    client: SessionClient,
    answerer: NonNullable<InboundPort[Key]>,
  ) => void;
} = { sample: answerSampling, roots: answerRoots };

const ANSWERED = Object.keys(ANSWERS) as readonly AnsweredHere[];

function answer<Key extends AnsweredHere>(
  key: Key,
  client: SessionClient,
  inbound: Pick<InboundPort, Key>,
): void {
  const answerer = inbound[key];
  if (answerer !== undefined) ANSWERS[key](client, answerer);
}

async function createClient(
  link: Link,
  { client: identity, inbound, clock }: ClientOptions,
): Promise<MadeClient> {
  const { transport, era } = link;
  const capabilities = capabilitiesOf(inbound);
  // Over Streamable HTTP each request has its own stream, which the SDK resumes after an interruption.
  if (era !== 'legacy' || transport.hasPerRequestStream === true) {
    const { sdkClient } = await import('./sdk-client.ts');
    return sdkClient(identity, capabilities, era);
  }
  const known = readHandshake(link.handshake?.());
  return {
    client: legacyClient({
      identity,
      capabilities,
      known: known.ok ? known.value : undefined,
      clock,
    }),
  };
}
