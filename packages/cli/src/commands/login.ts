// `plugboard login NAME`: signs the user in to a server, whatever the state of its connection, and then connects to check
// that the sign-in works.

import { abortable } from '@plugboard/base';
import type { Host, LoginOutcome } from '@plugboard/host';
import { hostEnvironment } from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode, exitCodeOfOutcome, exitCodeOfProblem } from '../exit-codes.ts';
import { printError, type ShownError, writeError } from '../print/error.ts';
import { authorizationError } from '../print/authorization-error.ts';
import { printJson } from '../print/json.ts';
import { signedInWords } from '../print/login-words.ts';
import { type Failure, outcomeError } from '../print/outcome.ts';
import { Status, waiting } from '../print/progress.ts';
import { subjectOf } from '../print/subject.ts';
import { checkAccount } from './account.ts';
import { reportNoLogin } from './no-login.ts';
import { connectInGateways } from './running-gateways.ts';
import { signInWay, type SignInWish } from './sign-in-ways.ts';
import { withHost } from './with-host.ts';

export interface LoginRequest {
  readonly name: string;
  readonly account: string | undefined;
  readonly way: SignInWish['way'];
}

export async function login(context: Context, request: LoginRequest): Promise<ExitCode> {
  const { name } = request;
  checkAccount(request.account);
  return withHost(context, name, async (host) => {
    const outcome = await signIn(context, host, request);
    switch (outcome.kind) {
      case 'signed-in':
        return report(context, host, outcome);
      case 'not-signed-in':
        printError(
          context,
          authorizationError(outcome.problem, subjectOf(host, name, context.adHoc)),
        );
        return exitCodeOfProblem(outcome.problem);
      default:
        return reportNoLogin(context, host, outcome);
    }
  });
}

async function signIn(context: Context, host: Host, request: LoginRequest): Promise<LoginOutcome> {
  const { name, account, way } = request;
  const { interrupted } = context.terminal;
  using status = new Status(context);
  status.say(`asking "${name}" how to sign in…`);
  const options = {
    way: signInWay(context, { server: name, way }, status),
    signal: interrupted,
    ...(account === undefined ? {} : { account }),
  };
  try {
    // Some steps ignore the signal. They end with the host.
    return await abortable(host.login(name, options), interrupted);
  } catch (thrown) {
    if (!interrupted.aborted) throw thrown;
    const problem = { kind: 'not-signed-in', reason: 'cancelled' } as const;
    return { kind: 'not-signed-in', server: name, problem };
  }
}

type SignedIn = Extract<LoginOutcome, { readonly kind: 'signed-in' }>;

async function report(context: Context, host: Host, outcome: SignedIn): Promise<ExitCode> {
  const { server: name, issuer, account, scope } = outcome;
  const kept = (await host.signIns()).find(
    (status) => status.server === name && status.account === account,
  );
  const isInUse = kept?.isInUse ?? true;
  const { err } = context.terminal;
  if (!context.isJson) err.write(signedInWords({ name, issuer, account, isInUse }));
  // The entry uses another account, so a connection would not test this sign-in.
  const probed = isInUse ? await probe(context, host, name) : undefined;
  if (isInUse) await connectInGateways(hostEnvironment(), name, context.terminal.interrupted);
  if (context.isJson) {
    printJson(context, {
      kind: 'signed-in',
      name,
      account,
      isInUse,
      issuer,
      scopes: scope?.split(' ') ?? [],
      tools: probed?.tools ?? null,
      problem: probed?.problem ?? null,
    });
  } else if (probed?.problem !== undefined) {
    writeError(err, probed.problem);
  } else if (probed !== undefined) {
    const tools = `${probed.tools} tool${probed.tools === 1 ? '' : 's'}`;
    err.write(`It has ${tools}. See them: plugboard tools ${context.adHoc ?? name}\n`);
  }
  return probed?.code ?? EXIT.ok;
}

interface ProbeResult {
  readonly tools: number | undefined;
  readonly problem: ShownError | undefined;
  readonly code: ExitCode;
}

async function probe(context: Context, host: Host, name: string): Promise<ProbeResult> {
  const { tools, problems } = await waiting(context, host, (signal) =>
    host.tools({ servers: [name], fresh: true, signal }),
  );
  const problem = problems.find((outcome): outcome is Failure => outcome.kind !== 'result');
  if (problem === undefined) return { tools: tools.length, problem: undefined, code: EXIT.ok };
  return {
    tools: undefined,
    problem: outcomeError(problem, subjectOf(host, name, context.adHoc)),
    code: exitCodeOfOutcome(problem),
  };
}
