// Everything a call can end in, as plain data that can be shown, logged or forwarded.

import type { Instant, JsonObject } from '@plugboard/base';
import type { CatalogTool } from '../catalog/index.ts';
import { closestName } from '../config/index.ts';
import type { Barrier, ConnectionFailure, ConnectionState } from '../connection/index.ts';
import type { FittedResult } from '../output/index.ts';
import type { DefinitionChange, Quarantined } from '../pins/index.ts';
import type { Decision } from '../policy/index.ts';
import { type AuthorizationProblem, factsOf, type ProtocolFailure } from '../protocol/index.ts';
import type { ArgumentIssue } from './argument-issue.ts';
import type { HookFailure } from './hook-run.ts';

export interface CalledTool {
  readonly server: string;
  readonly tool: string;
}

interface AnsweredCall extends CalledTool, FittedResult {
  /** Hooks that should have reviewed it and failed. */
  readonly failedHooks?: readonly HookFailure[];
}

/** Who denied the call. */
export type Denial =
  /** A rule or a mode. */
  | { readonly kind: 'policy'; readonly decision: Decision }
  /** The user, or the absence of a user; `decision` states why approval was needed. */
  | { readonly kind: 'approver'; readonly decision: Decision }
  /** A hook before the call, or after it: then it was sent, and its result is withheld. */
  | { readonly kind: 'hook'; readonly hook: HookFailure };

/** A rule in a file that would have allowed the call. */
export interface NeededRule {
  readonly kind: 'rule';
  readonly list: 'allow';
  readonly rule: string;
  readonly file: string;
}

/** Why a server cannot be used at the moment. */
export type Unavailable = ConnectionFailure | Barrier;

export type CallOutcome =
  | (AnsweredCall & { readonly kind: 'result' })
  | (AnsweredCall & { readonly kind: 'tool-error' })
  | {
      readonly kind: 'unknown-tool';
      readonly asked: string;
      /** The nearest existing name. */
      readonly nearest: string | undefined;
    }
  | (CalledTool & {
      /** No server with that name is configured. */
      readonly kind: 'unknown-server';
      /** The nearest name of a configured server. */
      readonly nearest: string | undefined;
      /** If the tool was named by its model name: the nearest existing model name. */
      readonly nearestTool?: string;
    })
  | (CalledTool & {
      readonly kind: 'invalid-arguments';
      readonly issues: readonly ArgumentIssue[];
      readonly schema: JsonObject;
    })
  /** The tool differs from the accepted one, and is kept back until the user accepts it. */
  | (CalledTool & {
      readonly kind: 'quarantined';
      readonly quarantined: Quarantined;
      /** The differences from the accepted definition. */
      readonly changes: readonly DefinitionChange[];
    })
  | (CalledTool & {
      readonly kind: 'denied';
      readonly reason: string;
      readonly by: Denial;
      /** Empty if no rule of the user would help. */
      readonly needs: readonly NeededRule[];
    })
  | (CalledTool & {
      readonly kind: 'needs-auth';
      readonly url: string;
      /** Why an attempted sign-in has not succeeded. */
      readonly reason?: AuthorizationProblem;
      /** When the server required the sign-in; it has not been contacted since. */
      readonly since?: Instant;
    })
  | (CalledTool & { readonly kind: 'not-connected'; readonly reason: Unavailable })
  | (CalledTool & { readonly kind: 'timeout'; readonly ms: number })
  | (CalledTool & { readonly kind: 'cancelled' })
  | (CalledTool & { readonly kind: 'protocol-error'; readonly failure: ProtocolFailure });

/** The outcome of a tool whose structured result has a known type, if its server follows its schema. */
export type ToolOutcome<Structured = unknown> =
  | Exclude<CallOutcome, { readonly kind: 'result' }>
  | (Omit<CallOutcome & { readonly kind: 'result' }, 'structured'> & {
      readonly structured?: Structured;
    });

/** The server and the name of a tool, without its other members. */
export function calledOf({ server, tool }: CalledTool): CalledTool {
  return { server, tool };
}

/** The outcome of a call to a server that is not configured. */
export function unknownServer(
  called: CalledTool,
  configured: readonly string[],
): CallOutcome & { readonly kind: 'unknown-server' } {
  const nearest = closestName(called.server, configured);
  return { ...calledOf(called), kind: 'unknown-server', nearest };
}

/** The outcome of a call with invalid arguments. */
export function invalidArguments(
  tool: CatalogTool,
  issues: readonly ArgumentIssue[],
): CallOutcome & { readonly kind: 'invalid-arguments' } {
  const schema = tool.definition.inputSchema;
  return { ...calledOf(tool), kind: 'invalid-arguments', issues, schema };
}

/** The outcome of a call that the user, a rule or a hook denied. */
export function deniedCall(
  tool: CalledTool,
  reason: string,
  by: Denial,
): CallOutcome & { readonly kind: 'denied' } {
  return { ...calledOf(tool), kind: 'denied', reason, by, needs: [] };
}

/** The outcome of a call to a server without a session. */
export function withoutSession(tool: CalledTool, state: ConnectionState): CallOutcome {
  const called = calledOf(tool);
  switch (state.kind) {
    case 'needs-auth':
      return { ...called, ...needsAuth(state) };
    case 'disabled':
    case 'untrusted':
    case 'blocked':
      return { ...called, kind: 'not-connected', reason: state };
    case 'failed':
    case 'waiting':
      return state.failure.kind === 'cancelled'
        ? { ...called, kind: 'cancelled' }
        : { ...called, kind: 'not-connected', reason: state.failure };
    case 'idle':
    case 'connecting':
    case 'ready':
      // Only a close can end the session between requesting it and receiving it.
      return { ...called, kind: 'not-connected', reason: { kind: 'closed' } };
    default:
      return state satisfies never;
  }
}

/** The outcome of a call that was sent and failed. */
export function withFailure(called: CalledTool, failure: ProtocolFailure): CallOutcome {
  switch (failure.kind) {
    case 'timeout':
      return { ...called, kind: 'timeout', ms: failure.ms };
    case 'cancelled':
      return { ...called, kind: 'cancelled' };
    case 'unauthorized':
      return { ...called, ...needsAuth(failure) };
    case 'credentials-expired':
      return { ...called, kind: 'needs-auth', url: failure.url };
    default:
      return factsOf(failure).isLost
        ? { ...called, kind: 'not-connected', reason: failure }
        : { ...called, kind: 'protocol-error', failure };
  }
}

function needsAuth({ url, reason, since }: NeedsAuth) {
  return {
    kind: 'needs-auth',
    url,
    ...(reason === undefined ? {} : { reason }),
    ...(since === undefined ? {} : { since }),
  } as const;
}

type NeedsAuth = Pick<CallOutcome & { kind: 'needs-auth' }, 'url' | 'reason' | 'since'>;
