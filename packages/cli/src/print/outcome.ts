// Explains why a call failed.

import type { CallOutcome } from '@plugboard/host';
import { didYouMean } from '../usage-error.ts';
import { deniedError } from './denied.ts';
import type { ShownError } from './error.ts';
import { quarantineError } from './quarantine.ts';
import { answerAndNotes } from './result-notes.ts';
import { type Subject, typed } from './subject.ts';
import { unavailableError } from './unavailable.ts';

export type Failure = Exclude<CallOutcome, { readonly kind: 'result' }>;

export function outcomeError(outcome: Failure, subject: Subject): ShownError {
  const { server, where } = subject;
  switch (outcome.kind) {
    case 'not-connected':
      return unavailableError(subject, outcome.reason);
    case 'protocol-error':
      return unavailableError(subject, outcome.failure);
    case 'needs-auth':
      return unavailableError(subject, unauthorized(outcome));
    case 'tool-error': {
      const { answer, notes } = answerAndNotes(outcome.parts);
      return {
        kind: outcome.kind,
        message: `tool "${outcome.tool}" of server "${server}" failed`,
        details: [answer, ...notes.map((note) => `note: ${note}`)],
        fix: `read what the tool says above; what its server logged: plugboard logs ${typed(subject)}`,
      };
    }
    case 'unknown-server':
    case 'unknown-tool':
      return unknownError(outcome, subject);
    case 'invalid-arguments':
      return {
        kind: outcome.kind,
        message: `tool "${outcome.tool}" of server "${server}" does not take these arguments`,
        details: outcome.issues.map(({ path, message }) => `${path} ${message}`.trim()),
        fix: `see what it takes: plugboard tools ${typed(subject)} ${outcome.tool}`,
        issues: outcome.issues,
        schema: outcome.schema,
      };
    case 'quarantined':
      return quarantineError(outcome.quarantined, outcome.changes);
    case 'denied':
      return deniedError(outcome, subject);
    case 'timeout':
      return {
        kind: outcome.kind,
        message: `tool "${outcome.tool}" of server "${server}" gave no sign of life for ${outcome.ms} ms`,
        where,
        fix: 'if it needs longer, raise "timeout" (milliseconds) in the entry of the server',
      };
    case 'cancelled':
      return { kind: outcome.kind, message: 'cancelled' };
    default:
      return outcome satisfies never;
  }
}

function unknownError(
  outcome: Extract<Failure, { readonly kind: 'unknown-server' | 'unknown-tool' }>,
  subject: Subject,
): ShownError {
  const { kind, nearest } = outcome;
  const isServer = kind === 'unknown-server';
  const list = isServer
    ? 'see the list: plugboard list'
    : `see what it has: plugboard tools ${typed(subject)}`;
  return {
    kind,
    message: isServer
      ? `there is no server "${outcome.server}"`
      : `server "${subject.server}" has no tool "${outcome.asked}"`,
    fix: didYouMean(nearest, list),
  };
}

function unauthorized({ url, reason, since }: Extract<Failure, { readonly kind: 'needs-auth' }>) {
  return {
    kind: 'unauthorized',
    url,
    status: 401,
    ...(reason === undefined ? {} : { reason }),
    ...(since === undefined ? {} : { since }),
  } as const;
}
