// `plugboard logout NAME`: deletes the tokens of a server, and revokes them if the authorization server supports that.

import type { Host, LogoutOutcome, Revocation } from '@plugboard/host';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode, exitCodeOfProblem } from '../exit-codes.ts';
import { printError } from '../print/error.ts';
import { authorizationError } from '../print/authorization-error.ts';
import { printJson } from '../print/json.ts';
import { signedOutWords } from '../print/login-words.ts';
import { Status } from '../print/progress.ts';
import { UsageError } from '../usage-error.ts';
import { subjectOf } from '../print/subject.ts';
import { checkAccount } from './account.ts';
import { reportNoLogin } from './no-login.ts';
import { withHost } from './with-host.ts';

export interface LogoutRequest {
  readonly name: string;
  readonly account: string | undefined;
  readonly which: 'one' | 'all';
}

interface SignedOutAccount {
  readonly account: string;
  /** `undefined` if the user was not signed in. */
  readonly revocation: Revocation | undefined;
}

export async function logout(context: Context, request: LogoutRequest): Promise<ExitCode> {
  const { name, account, which } = request;
  checkAccount(account);
  if (which === 'all' && account !== undefined) {
    throw new UsageError('--all and --account were both given', 'give one of them');
  }
  return withHost(context, name, async (host) => {
    const signedOut: SignedOutAccount[] = [];
    for (const each of await accountsOf(host, request)) {
      const outcome = await signOut(context, host, { name, account: each });
      if (outcome.kind === 'not-signed-out') {
        printError(context, authorizationError(outcome.problem, subjectOf(host, name)));
        return exitCodeOfProblem(outcome.problem);
      }
      if (outcome.kind !== 'signed-out') return reportNoLogin(context, host, outcome);
      signedOut.push({
        account: each,
        revocation: outcome.wasSignedIn ? outcome.revocation : undefined,
      });
    }
    report(context, name, signedOut);
    return EXIT.ok;
  });
}

/** At least one account, so that the result can be reported. */
async function accountsOf(host: Host, request: LogoutRequest): Promise<readonly string[]> {
  if (request.account !== undefined) return [request.account];
  const there = (await host.signIns()).filter(({ server }) => server === request.name);
  const wanted = there.filter(({ isInUse }) => isInUse || request.which === 'all');
  return wanted.length === 0 ? ['default'] : wanted.map(({ account }) => account);
}

async function signOut(
  context: Context,
  host: Host,
  { name, account }: { readonly name: string; readonly account: string },
): Promise<LogoutOutcome> {
  using status = new Status(context);
  status.say(`signing out of "${name}"…`);
  return await host.logout(name, { account, signal: context.terminal.interrupted });
}

function report(context: Context, name: string, signedOut: readonly SignedOutAccount[]): void {
  if (context.isJson) {
    const accounts = signedOut.map(({ account, revocation }) => ({
      account,
      wasSignedIn: revocation !== undefined,
      revocation: revocation?.kind ?? null,
    }));
    printJson(context, { kind: 'signed-out', name, accounts });
    return;
  }
  const { err } = context.terminal;
  for (const { account, revocation } of signedOut) {
    if (revocation !== undefined) err.write(signedOutWords(name, account, revocation));
  }
  const isAny = signedOut.some(({ revocation }) => revocation !== undefined);
  if (!isAny) err.write(`You were not signed in to "${name}", so there is nothing to forget.\n`);
}
