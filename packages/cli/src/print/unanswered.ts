// Explains why a server did not answer a request other than a call, in words and as an exit code.

import type { Unanswered } from '@plugboard/host';
import { EXIT, type ExitCode, exitCodeOfOutcome } from '../exit-codes.ts';
import type { ShownError } from './error.ts';
import { outcomeError } from './outcome.ts';
import { duration } from './times.ts';
import { type Subject, typed } from './subject.ts';

export function unansweredError(unanswered: Unanswered, subject: Subject): ShownError {
  const { server, where } = subject;
  switch (unanswered.kind) {
    case 'unsupported':
      return {
        kind: unanswered.kind,
        message: `server "${server}" has no ${unanswered.feature}`,
        where,
        fix: `see what it has: plugboard tools ${typed(subject)}`,
      };
    case 'timeout':
      return {
        kind: unanswered.kind,
        message: `server "${server}" did not answer within ${duration(unanswered.ms)}`,
        where,
        fix: 'if it needs longer, raise "timeout" (milliseconds) in its entry',
      };
    case 'protocol-error':
      return {
        ...outcomeError({ ...unanswered, tool: '' }, subject),
        ...(unanswered.failure.kind === 'rpc'
          ? { fix: `see what it says: plugboard logs ${typed(subject)}` }
          : {}),
      };
    case 'unknown-server':
    case 'needs-auth':
    case 'not-connected':
    case 'cancelled':
      return outcomeError({ ...unanswered, tool: '' }, subject);
    default:
      return unanswered satisfies never;
  }
}

export function exitCodeOfUnanswered(unanswered: Unanswered): ExitCode {
  return unanswered.kind === 'unsupported'
    ? EXIT.usage
    : exitCodeOfOutcome({ ...unanswered, tool: '' });
}
