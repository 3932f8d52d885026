// All failures of the communication with a server, as values. Their kinds follow from types, codes and statuses; the
// surfaces turn them into text.

import { type Instant, type Json, messageOf } from '@plugboard/base';
import type { AuthorizationProblem } from './authorization.ts';
import {
  type ProcessExit,
  type SocketProblem,
  type SpawnFailure,
  systemCode,
} from '../../platform/index.ts';

/** The output of a server process that failed. Text from the server: hostile. */
export interface ProcessEvidence {
  /** The last lines of stderr. */
  readonly stderr: readonly string[];
  /** The number of lines on stdout that were not protocol messages, and the last of them. */
  readonly strayLines: number;
  readonly lastStrayLine: string | undefined;
}

/** Why a shared server could not be reached through its broker. */
export type BrokerProblem =
  | SocketProblem
  | { readonly kind: 'did-not-start'; readonly detail: string }
  /** `full`: too many hosts already share it. */
  | { readonly kind: 'refused'; readonly why: 'proof' | 'full' };

export type ProtocolFailure =
  | SpawnFailure
  | { readonly kind: 'broker-failed'; readonly reason: BrokerProblem }
  | { readonly kind: 'exited'; readonly exit: ProcessExit; readonly evidence: ProcessEvidence }
  | { readonly kind: 'broken-frame'; readonly line: string; readonly evidence: ProcessEvidence }
  | { readonly kind: 'closed' }
  /** The server kept sending requests and did not read the answers. */
  | {
      readonly kind: 'answers-untaken';
      readonly answers: number;
      readonly bytes: number;
      readonly limit: { readonly answers: number; readonly bytes: number };
      /** How long the host waited without reading; 0 if too many requests came at once. */
      readonly ms: number;
    }
  | {
      readonly kind: 'timeout';
      readonly ms: number;
      readonly evidence?: ProcessEvidence;
      /** Set if listing timed out, not connecting. */
      readonly during?: 'listing';
    }
  /** The package runner was still fetching and installing the server after this time. */
  | {
      readonly kind: 'still-installing';
      readonly runner: string;
      readonly ms: number;
      readonly evidence: ProcessEvidence;
    }
  /** The program of the server requires a newer runtime than the installed one. */
  | {
      readonly kind: 'runtime-too-old';
      readonly runtime: 'Node.js';
      /** The requirement of the package, such as `>=22.5.0`. Text from the server. */
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
      /** When the refusal was recorded; the server has not been contacted since. */
      readonly since?: Instant;
    }
  | {
      readonly kind: 'http';
      readonly url: string;
      readonly status: number;
      /** The JSON-RPC error, if the answer contains one. */
      readonly refusal?: { readonly code: number; readonly message: string };
    }
  /** The server has forgotten the session: a new one can be opened at once. */
  | { readonly kind: 'session-expired'; readonly url: string; readonly status: number }
  /** The server no longer accepts the credentials, and newer ones may be available. */
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
  /** `code`: the error code of the system, if there is one. */
  | { readonly kind: 'unexpected'; readonly message: string; readonly code?: string };

interface FailureFacts {
  /** The step that failed. Absent if the failure can come at any time after the server was started or reached. */
  readonly step?: 'configured' | 'program' | 'process' | 'address' | 'sign-in' | 'era';
  /** The connection is lost or was never made. Otherwise the server sent a wrong answer. */
  readonly isLost: boolean;
  /**
   * What to do with the verdict on the era: `keep` it; `drop` it, since it may be wrong, but no time is left to try the
   * other era; or `reopen` in the other era.
   */
  readonly era: 'keep' | 'drop' | 'reopen';
  /** The server ended by its own fault, and would probably do so again. */
  readonly isCrash?: true;
  /** The same attempt to connect may succeed a moment later. */
  readonly isTransient?: true;
  /** Whether the server processed the request; absent if it is not sent again. */
  readonly processed?: 'no' | 'maybe';
}

const NOT_REACHED: FailureFacts = { isLost: true, era: 'keep' };
const WRONG_ANSWER: FailureFacts = { isLost: false, era: 'reopen' };
const ENDED: FailureFacts = { isLost: true, era: 'reopen' };

const FACTS: Readonly<Record<ProtocolFailure['kind'], FailureFacts>> = {
  'command-not-found': { ...NOT_REACHED, step: 'program' },
  'not-executable': { ...NOT_REACHED, step: 'program' },
  'bad-cwd': { ...NOT_REACHED, step: 'program' },
  'spawn-failed': { ...NOT_REACHED, step: 'process' },
  'broker-failed': { ...NOT_REACHED, step: 'process' },
  'still-installing': NOT_REACHED,
  'runtime-too-old': NOT_REACHED,
  unreachable: { ...NOT_REACHED, step: 'address', isTransient: true, processed: 'maybe' },
  unauthorized: { ...NOT_REACHED, step: 'sign-in' },
  'credentials-expired': { ...NOT_REACHED, step: 'sign-in', processed: 'no' },
  cancelled: NOT_REACHED,
  timeout: { isLost: true, era: 'drop', isTransient: true },
  closed: { ...ENDED, isTransient: true, processed: 'maybe' },
  'session-expired': { ...ENDED, processed: 'no' },
  exited: { ...ENDED, isCrash: true, isTransient: true, processed: 'maybe' },
  'broken-frame': { ...ENDED, isCrash: true },
  'answers-untaken': { isLost: true, era: 'keep', isCrash: true },
  http: WRONG_ANSWER,
  'not-mcp': WRONG_ANSWER,
  rpc: WRONG_ANSWER,
  'too-large': WRONG_ANSWER,
  'invalid-result': WRONG_ANSWER,
  'wrong-era': { ...WRONG_ANSWER, step: 'era' },
  unexpected: WRONG_ANSWER,
  'unsupported-transport': { isLost: false, era: 'keep', step: 'configured' },
};

/** The failure for an unexpected thrown value. */
export function unexpectedFailure(thrown: unknown): ProtocolFailure {
  const code = systemCode(thrown);
  const failure = { kind: 'unexpected', message: messageOf(thrown) } as const;
  return code === undefined ? failure : { ...failure, code };
}

/** Whether the host tried to reach the server; other failures come before that. */
export function isProtocolFailure(failure: { readonly kind: string }): failure is ProtocolFailure {
  return Object.hasOwn(FACTS, failure.kind);
}

export function factsOf(failure: ProtocolFailure): FailureFacts {
  return failure.kind === 'http' ? httpFacts(failure.status) : FACTS[failure.kind];
}

function httpFacts(status: number): FailureFacts {
  // An internal error of the server does not depend on the era.
  if (status >= 500) return { ...FACTS.http, era: 'keep', isTransient: true };
  return status === 408 || status === 429 ? { ...FACTS.http, isTransient: true } : FACTS.http;
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
