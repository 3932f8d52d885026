// Answers the requests of servers: questions to the user, sampling, and roots. Assembles, for each server, the port
// with what it was granted.

import { type Clock, type Logger, messageOf } from '@plugboard/base';
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
import type { CompleteInboundPort, InboundGrants } from '../protocol/index.ts';

export interface HostInbound {
  readonly questions: QuestionDesk;
  readonly roots: Roots;
  readonly sampling: SamplingDesk | undefined;
  /** Stops the callers' clocks while the user or a model is asked. */
  readonly asked: AskedServers;
}

export interface InboundOptions {
  /**
   * Asks a model for servers whose entries have `sampling`; the user approves each request. Without it
   * sampling is not supported.
   */
  readonly sampling?: SamplingPort;
  /** The folders that servers should work in: the working directory by default. */
  readonly roots?: readonly RootFolder[];
  /** Asks the user the questions of servers. Without it questions are not supported. */
  readonly elicit?: Elicit;
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
  readonly grants: InboundGrants;
  readonly limits: ServerEntry['sampling'];
}

export function inboundPort(
  { questions, roots, sampling, asked }: HostInbound,
  { name, grants, limits: { enabled: _, ...stated } = {} }: AskingServer,
): CompleteInboundPort {
  const limits = { ...DEFAULT_SAMPLING_LIMITS, ...stated };
  const { elicit } = questions.of(name);
  return {
    elicit:
      elicit !== undefined && grants.elicit
        ? (question, signals) => asked.during(name, () => elicit(question, signals))
        : undefined,
    sample:
      sampling !== undefined && grants.sample
        ? (request, signal) =>
            asked.during(name, () => sampling.answer({ server: name, limits, request, signal }))
        : undefined,
    roots: grants.roots ? roots : undefined,
  };
}
