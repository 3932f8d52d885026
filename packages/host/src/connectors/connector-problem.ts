// The problems of a request to a connector, and their messages. No message contains a header, the query of an
// address, or more of the answer than a name.

import { type Diagnostic, originPosition } from '../config/index.ts';
import type { ConnectorSettings } from './connector-settings.ts';

export type ConnectorProblem =
  /** `insecure`: credentials would be sent unencrypted over the network. */
  | { readonly kind: 'bad-url'; readonly reason: 'malformed' | 'insecure' | 'credentials' }
  /** The headers could not be created. The message is for people and contains no secrets. */
  | { readonly kind: 'no-headers'; readonly message: string }
  | { readonly kind: 'unreachable'; readonly code: string }
  | { readonly kind: 'timed-out'; readonly ms: number }
  | { readonly kind: 'redirected'; readonly origin?: string }
  /** Refused with the current headers and with new ones. */
  | { readonly kind: 'unauthorized' }
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'too-large'; readonly limit: number }
  | { readonly kind: 'too-deep'; readonly limit: number }
  | { readonly kind: 'not-json'; readonly contentType: string }
  | { readonly kind: 'wrong-shape' };

export function describeProblem(
  problem: ConnectorProblem,
  settings: ConnectorSettings,
): Diagnostic {
  const { name } = settings;
  return connectorDiagnostic(settings, {
    severity: 'error',
    code: 'connector-failed',
    message: `The connector "${name}" ${whatHappened(problem)}.`,
    suggestion: whatToDo(problem, settings),
  });
}

function whatHappened(problem: ConnectorProblem): string {
  switch (problem.kind) {
    case 'bad-url':
      return BAD_URLS[problem.reason];
    case 'no-headers':
      return `was not asked, since its headers could not be made: ${problem.message}`;
    case 'unreachable':
      return `cannot be reached (${problem.code})`;
    case 'timed-out':
      return `did not answer within ${problem.ms / 1000} s`;
    case 'redirected':
      return problem.origin === undefined
        ? 'leads from one address to the next without an end'
        : `sends us on to ${problem.origin}, and credentials do not go there`;
    case 'unauthorized':
      return 'does not accept the credentials (401), fresh ones neither';
    case 'refused':
      return `refuses to answer (HTTP ${problem.status})`;
    case 'too-large':
      return `answers with more than ${problem.limit / 1024 / 1024} MiB`;
    case 'too-deep':
      return `answers with JSON that is nested more than ${problem.limit} levels deep`;
    case 'not-json':
      return `does not answer with JSON${problem.contentType === '' ? '' : ` but with ${problem.contentType}`}`;
    case 'wrong-shape':
      return 'answers with something that is not a list of servers';
    default:
      return problem satisfies never;
  }
}

const BAD_URLS = {
  malformed: 'has a "url" that is not complete',
  insecure: 'has a "url" that is not https, which would show credentials to everyone on the way',
  credentials: 'has a user name or a password in its "url"',
} as const;

function whatToDo(problem: ConnectorProblem, { name, headersHelper }: ConnectorSettings): string {
  switch (problem.kind) {
    case 'bad-url':
      return `Write it like "connectors": { "${name}": { "url": "https://example.com/servers" } }.`;
    case 'no-headers':
    case 'unauthorized':
      return headersHelper === undefined
        ? `Sign in there again, and put the new token where "headers" of "connectors.${name}" takes it from.`
        : `Sign in again: run the "headersHelper" of "connectors.${name}" by hand and see what it asks for.`;
    case 'unreachable':
    case 'timed-out':
      return 'Look whether the address is right and the network is there, and try again.';
    case 'redirected':
      return `Set "url" of "connectors.${name}" to the address that answers itself, if you trust it.`;
    case 'refused':
      return problem.status === 403
        ? 'Ask its operator whether this account may use it.'
        : 'Try again later, and look whether the address is right.';
    case 'too-large':
    case 'too-deep':
    case 'not-json':
    case 'wrong-shape':
      return 'Look whether the address is right: it must answer with { "servers": [ … ] } or { "mcpServers": { … } }.';
    default:
      return problem satisfies never;
  }
}

export type ConnectorMessage = Pick<
  Diagnostic,
  'severity' | 'code' | 'message' | 'suggestion' | 'server'
>;

/** Uses the place where the connector is configured, since people cannot look at the lines of an answer. */
export function connectorDiagnostic(
  { origin }: ConnectorSettings,
  message: ConnectorMessage,
): Diagnostic {
  return { ...message, ...originPosition(origin) };
}
