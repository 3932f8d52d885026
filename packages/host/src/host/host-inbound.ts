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
import type { CompleteInboundPort } from '../protocol/index.ts';

export interface HostInbound {
  readonly questions: QuestionDesk;
  readonly roots: Roots;
  readonly sampling: SamplingDesk | undefined;
  /** Tells callers for how long someone is asked. */
  readonly asked: AskedServers;
}

export interface InboundOptions {
  /**
   * Asks a model on behalf of servers whose entries have `sampling`; the user approves each request. Without
   * it those servers cannot ask.
   */
  readonly sampling?: SamplingPort;
  /** The folders that servers are told to work in. Unless given, the working directory. */
  readonly roots?: readonly RootFolder[];
  /** Answers servers that ask the user something. Without it they cannot ask. */
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
  readonly grants: OwnGrants;
  readonly limits: ServerEntry['sampling'];
}

export function inboundPort(
  { questions, roots, sampling, asked }: HostInbound,
  { name, grants, limits: { enabled: _, ...stated } = {} }: AskingServer,
): CompleteInboundPort {
  const limits = { ...DEFAULT_SAMPLING_LIMITS, ...stated };
  const { elicit } = questions.of(name);
  return {
    elicit: elicit && ((question, signals) => asked.during(name, () => elicit(question, signals))),
    sample:
      sampling !== undefined && grants.sampling
        ? (request, signal) =>
            asked.during(name, () => sampling.answer({ server: name, limits, request, signal }))
        : undefined,
    roots: grants.roots ? roots : undefined,
  };
}
