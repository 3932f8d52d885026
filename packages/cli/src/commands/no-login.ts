// Reports why a user cannot sign in to a server, for `login`, `logout` and `auth import`.

import type { Host, NoLogin } from '@plugboard/host';
import { isLocalTransport } from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode, exitCodeOfOutcome } from '../exit-codes.ts';
import { printError } from '../print/error.ts';
import { outcomeError } from '../print/outcome.ts';
import { type Subject, subjectOf } from '../print/subject.ts';
import { UsageError } from '../usage-error.ts';

/** A server of the command line has no entry to explain. */
function localFix({ server, adHoc }: Subject): string {
  return adHoc === undefined
    ? `if it needs a token, give it one: plugboard explain ${server}`
    : 'if it needs a token, give it one in a variable: --env KEY=VALUE';
}

export function reportNoLogin(context: Context, host: Host, outcome: NoLogin): ExitCode {
  const { server } = outcome;
  const subject = subjectOf(host, server, context.adHoc);
  switch (outcome.kind) {
    case 'unknown-server':
      throw new UsageError(`there is no server "${server}"`, 'see the list: plugboard list');
    case 'no-login': {
      const isLocal = host.servers.some(
        ({ name, transport }) => name === server && isLocalTransport(transport),
      );
      printError(context, {
        kind: outcome.kind,
        message: isLocal
          ? `server "${server}" runs on this machine, so there is nothing to sign in to`
          : `server "${server}" is given its Authorization header by its entry, so there is no sign-in`,
        where: subject.where,
        fix: isLocal ? localFix(subject) : 'remove the header from the entry, then sign in',
      });
      return EXIT.usage;
    }
    case 'not-prepared':
    case 'unreached':
    case 'barred': {
      const reason = outcome.kind === 'barred' ? outcome.barrier : outcome.failure;
      const called = { kind: 'not-connected', server, tool: '', reason } as const;
      printError(context, outcomeError(called, subject));
      return exitCodeOfOutcome(called);
    }
    default:
      return outcome satisfies never;
  }
}
