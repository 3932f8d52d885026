// `plugboard logout NAME`: forgets the tokens of a server, and revokes them where the authorization server supports
// that. Tokens that cannot be revoked are forgotten as well.

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
import { checkedAccount } from './account.ts';
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
  checkedAccount(account);
  if (which === 'all' && account !== undefined) {
    throw new UsageError('--all and --account were both given', 'give one of them');
  }
  return withHost(context, name, async (host) => {
    const left: SignedOutAccount[] = [];
    for (const each of await accountsOf(host, request)) {
      const outcome = await leave(context, host, { name, account: each });
      if (outcome.kind === 'not-signed-out') {
        printError(context, authorizationError(outcome.problem, subjectOf(host, name)));
        return exitCodeOfProblem(outcome.problem);
      }
      if (outcome.kind !== 'signed-out') return reportNoLogin(context, host, outcome);
      left.push({
        account: each,
        revocation: outcome.wasSignedIn ? outcome.revocation : undefined,
      });
    }
    report(context, name, left);
    return EXIT.ok;
  });
}

/** Known by name in any case, so that each can be reported. */
async function accountsOf(host: Host, request: LogoutRequest): Promise<readonly string[]> {
  if (request.account !== undefined) return [request.account];
  const there = (await host.signIns()).filter(({ server }) => server === request.name);
  const wanted = there.filter(({ isInUse }) => isInUse || request.which === 'all');
  return wanted.length === 0 ? ['default'] : wanted.map(({ account }) => account);
}

async function leave(
  context: Context,
  host: Host,
  { name, account }: { readonly name: string; readonly account: string },
): Promise<LogoutOutcome> {
  using status = new Status(context);
  status.say(`signing out of "${name}"…`);
  return await host.logout(name, { account, signal: context.terminal.interrupted });
}

function report(context: Context, name: string, left: readonly SignedOutAccount[]): void {
  if (context.isJson) {
    const accounts = left.map(({ account, revocation }) => ({
      account,
      wasSignedIn: revocation !== undefined,
      revocation: revocation?.kind ?? null,
    }));
    printJson(context, { kind: 'signed-out', name, accounts });
    return;
  }
  const { err } = context.terminal;
  for (const { account, revocation } of left) {
    if (revocation !== undefined) err.write(signedOutWords(name, account, revocation));
  }
  const isAny = left.some(({ revocation }) => revocation !== undefined);
  if (!isAny) err.write(`You were not signed in to "${name}", so there is nothing to forget.\n`);
}
