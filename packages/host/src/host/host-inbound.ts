// What the servers of one host may ask: a person, a model, and the folders to work in. Puts together, for each
// server, the port of what it was given.

import { type Clock, type Logger, messageOf } from '@plugboard/base';
import type { OwnGrants } from '../admission/index.ts';
import type { ServerEntry } from '../config/index.ts';
import {
  AskedServers,
  DEFAULT_SAMPLING_LIMITS,
  type Elicit,
  QuestionDesk,
  type RootFolder,
  Roots,
  SamplingDesk,
  type SamplingPort,
} from '../inbound/index.ts';
import type { InboundPort } from '../protocol/index.ts';

export interface HostInbound {
  readonly questions: QuestionDesk;
  readonly roots: Roots;
  readonly sampling: SamplingDesk | undefined;
  /** Tells callers for how long someone is asked. */
  readonly asked: AskedServers;
}

export interface InboundOptions {
  readonly elicit?: Elicit;
  readonly sampling?: SamplingPort;
  readonly roots?: readonly RootFolder[];
}

export function hostInbound(
  { elicit, sampling: port, roots }: InboundOptions,
  { cwd, clock, logger }: { readonly cwd: string; readonly clock: Clock; readonly logger: Logger },
): HostInbound {
  const onListenerError = (thrown: unknown): void =>
    logger.log('error', 'a listener threw', { reason: messageOf(thrown) });
  return {
    questions: new QuestionDesk({ elicit, clock, logger }),
    roots: new Roots(roots ?? [cwd], { cwd, onListenerError }),
    sampling: port === undefined ? undefined : new SamplingDesk({ port, clock, onListenerError }),
    asked: new AskedServers(),
  };
}

export interface AskingServer {
  readonly name: string;
  readonly grants: OwnGrants;
  readonly limits: ServerEntry['sampling'];
}

export function inboundPort(
  { questions, roots, sampling, asked }: HostInbound,
  { name, grants, limits: { enabled: _, ...stated } = {} }: AskingServer,
): InboundPort {
  const limits = { ...DEFAULT_SAMPLING_LIMITS, ...stated };
  const { elicit } = questions.of(name);
  return {
    ...(elicit === undefined
      ? {}
      : {
          elicit: (question, signals) => asked.during(name, () => elicit(question, signals)),
        }),
    ...(grants.roots ? { roots } : {}),
    ...(sampling === undefined || !grants.sampling
      ? {}
      : {
          sample: (request, signal) =>
            asked.during(name, () => sampling.answer({ server: name, limits, request, signal })),
        }),
  };
}
