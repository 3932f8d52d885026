// Every way in which talking to a server can fail, as a value. Kinds are decided from types, codes
// and statuses; the surfaces turn them into words.

import { type Instant, type Json, messageOf } from '@plugboard/base';
import type { AuthorizationProblem } from './authorization.ts';
import {
  type ProcessExit,
  type SocketProblem,
  type SpawnFailure,
  systemCode,
} from '../../platform/index.ts';

/** What a server process left to look at when it failed. Text from the server: hostile. */
export interface ProcessEvidence {
  /** The last lines it wrote to stderr. */
  readonly stderr: readonly string[];
  /** How many lines on stdout were not protocol messages, and the last of them. */
  readonly strayLines: number;
  readonly lastStrayLine: string | undefined;
}

/** Why a shared server could not be reached through its broker. */
export type BrokerProblem =
  | SocketProblem
  | { readonly kind: 'did-not-start'; readonly detail: string }
  /** `full`: too many hosts share it already. */
  | { readonly kind: 'refused'; readonly why: 'proof' | 'full' };

export type ProtocolFailure =
  | SpawnFailure
  | { readonly kind: 'broker-failed'; readonly reason: BrokerProblem }
  | { readonly kind: 'exited'; readonly exit: ProcessExit; readonly evidence: ProcessEvidence }
  | { readonly kind: 'broken-frame'; readonly line: string; readonly evidence: ProcessEvidence }
  | { readonly kind: 'closed' }
  /** It went on asking and did not take the answers. */
  | {
      readonly kind: 'answers-untaken';
      readonly answers: number;
      readonly bytes: number;
      readonly limit: { readonly answers: number; readonly bytes: number };
      /** How long nothing more was read from it; 0 if too much came at once. */
      readonly ms: number;
    }
  | {
      readonly kind: 'timeout';
      readonly ms: number;
      readonly evidence?: ProcessEvidence;
      /** Set where it was listing, not connecting, that took too long. */
      readonly during?: 'listing';
    }
  /** Its package runner has fetched and installed for so long, and the server has not started yet. */
  | {
      readonly kind: 'still-installing';
      readonly runner: string;
      readonly ms: number;
      readonly evidence: ProcessEvidence;
    }
  /** Its program was made for a newer runtime than the one that it was started with. */
  | {
      readonly kind: 'runtime-too-old';
      readonly runtime: 'Node.js';
      /** As the package states it, such as `>=22.5.0`. Text from the server. */
      readonly needs?: string;
      readonly has?: string;
      readonly evidence: ProcessEvidence;
    }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'unreachable'; readonly url: string; readonly code: string }
  | {
      readonly kind: 'unauthorized';
      readonly url: string;
      readonly status: 401 | 403;
      /** Why no credentials could be obtained, if that was tried. */
      readonly reason?: AuthorizationProblem;
      /** It was so then, and the server has not been asked again. */
      readonly since?: Instant;
    }
  | {
      readonly kind: 'http';
      readonly url: string;
      readonly status: number;
      /** The protocol's own error, where the answer holds one. */
      readonly refusal?: { readonly code: number; readonly message: string };
    }
  /** The server has forgotten the session: a new one can be opened at once. */
  | { readonly kind: 'session-expired'; readonly url: string; readonly status: number }
  /** It no longer takes what it was given, and there may be something newer to give. */
  | { readonly kind: 'credentials-expired'; readonly url: string }
  | { readonly kind: 'not-mcp'; readonly url: string; readonly contentType: string }
  | {
      readonly kind: 'rpc';
      readonly code: number;
      readonly message: string;
      readonly data?: Json;
    }
  | { readonly kind: 'too-large'; readonly bytes: number; readonly limit: number }
  | { readonly kind: 'invalid-result'; readonly detail: string }
  | { readonly kind: 'wrong-era'; readonly wanted: 'legacy' | 'modern'; readonly detail: string }
  | { readonly kind: 'unsupported-transport'; readonly transport: string }
  /** `code`: of the system, where it gave one. */
  | { readonly kind: 'unexpected'; readonly message: string; readonly code?: string };

interface FailureFacts {
  /** There is no connection any more, or there never was one; otherwise the server answered, and wrongly. */
  readonly isLost: boolean;
  /**
   * What it says about the era that was spoken: `keep`, nothing; `drop`, that it may be wrong, but there is no time left to
   * find out; `reopen`, that the other one is to be tried.
   */
  readonly era: 'keep' | 'drop' | 'reopen';
  /** The server ended by its own fault, and would do so again and again. */
  readonly isCrash?: true;
}

const NOT_REACHED: FailureFacts = { isLost: true, era: 'keep' };
const WRONG_ANSWER: FailureFacts = { isLost: false, era: 'reopen' };
const ENDED: FailureFacts = { isLost: true, era: 'reopen' };

/** What follows from each kind of failure, whatever is said about it. */
const FACTS: Readonly<Record<ProtocolFailure['kind'], FailureFacts>> = {
  'command-not-found': NOT_REACHED,
  'not-executable': NOT_REACHED,
  'bad-cwd': NOT_REACHED,
  'spawn-failed': NOT_REACHED,
  'broker-failed': NOT_REACHED,
  'still-installing': NOT_REACHED,
  'runtime-too-old': NOT_REACHED,
  unreachable: NOT_REACHED,
  unauthorized: NOT_REACHED,
  'credentials-expired': NOT_REACHED,
  cancelled: NOT_REACHED,
  timeout: { isLost: true, era: 'drop' },
  closed: ENDED,
  'session-expired': ENDED,
  exited: { ...ENDED, isCrash: true },
  'broken-frame': { ...ENDED, isCrash: true },
  'answers-untaken': { isLost: true, era: 'keep', isCrash: true },
  http: WRONG_ANSWER,
  'not-mcp': WRONG_ANSWER,
  rpc: WRONG_ANSWER,
  'too-large': WRONG_ANSWER,
  'invalid-result': WRONG_ANSWER,
  'wrong-era': WRONG_ANSWER,
  unexpected: WRONG_ANSWER,
  'unsupported-transport': { isLost: false, era: 'keep' },
};

/** Of what was thrown and is nothing that was expected. */
export function unexpectedFailure(thrown: unknown): ProtocolFailure {
  const code = systemCode(thrown);
  const failure = { kind: 'unexpected', message: messageOf(thrown) } as const;
  return code === undefined ? failure : { ...failure, code };
}

export function factsOf(failure: ProtocolFailure): FailureFacts {
  // A server that has trouble of its own has it in every era.
  if (failure.kind === 'http' && failure.status >= 500) return { ...FACTS.http, era: 'keep' };
  return FACTS[failure.kind];
}

const SHOWN_LENGTH = 300;

/**
 * The beginning of a text from outside, on one line, for the message of a failure: the SDK puts whole validation
 * reports into its messages, and a header may have 16 kB.
 */
export function firstWords(text: string): string {
  return text
    .slice(0, 4 * SHOWN_LENGTH)
    .replaceAll(/\s+/g, ' ')
    .slice(0, SHOWN_LENGTH);
}

/** Carries a failure through code that can only throw, such as the SDK's transport interface. */
export class FailureError extends Error {
  readonly failure: ProtocolFailure;

  constructor(failure: ProtocolFailure) {
    super(failure.kind);
    this.name = 'FailureError';
    this.failure = failure;
  }
}
