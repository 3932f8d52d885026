// `plugboard auth import NAME`: takes tokens that were obtained elsewhere, for machines on which no user can sign in.
// They come from a file or a pipe, never from an argument, and are never printed.

import { resolve } from 'node:path';
import { parseJson, systemClock } from '@plugboard/base';
import type { ImportOutcome } from '@plugboard/host';
import { readTextFile } from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode, exitCodeOfProblem } from '../exit-codes.ts';
import { printError } from '../print/error.ts';
import { importError } from '../print/authorization-error.ts';
import { printJson } from '../print/json.ts';
import { Status } from '../print/progress.ts';
import { importedForPrograms, importedWords } from '../print/sign-ins.ts';
import { UsageError } from '../usage-error.ts';
import { subjectOf } from '../print/subject.ts';
import { checkAccount } from './account.ts';
import { reportNoLogin } from './no-login.ts';
import { readPiped } from './read-piped.ts';
import { withHost } from './with-host.ts';

export interface ImportRequest {
  readonly name: string;
  readonly account: string | undefined;
  readonly file: string | undefined;
  /** Whether there are other words on the command line, such as a token. */
  readonly hasMore: boolean;
}

const LIMITS = { maxLength: 256 * 1024, maxDepth: 8 };

export async function authImport(context: Context, request: ImportRequest): Promise<ExitCode> {
  const { name, account } = request;
  if (request.hasMore) throw tokenAsArgument();
  checkAccount(account);
  const tokens = tokensIn(await readGiven(context, request));
  return withHost(context, name, async (host) => {
    const { interrupted: signal } = context.terminal;
    using status = new Status(context);
    status.say(`asking "${name}" whose tokens it takes…`);
    const as = account === undefined ? {} : { account };
    const outcome = await host.importSignIn(name, { tokens, signal, ...as });
    status.say(undefined);
    switch (outcome.kind) {
      case 'imported':
        if (context.isJson) printJson(context, importedForPrograms(outcome));
        else context.terminal.err.write(importedWords(outcome, systemClock.now()));
        return EXIT.ok;
      case 'not-imported':
        printError(context, importError(outcome.problem, subjectOf(host, name)));
        return exitCodeOf(outcome.problem);
      default:
        return reportNoLogin(context, host, outcome);
    }
  });
}

type Problem = Extract<ImportOutcome, { readonly kind: 'not-imported' }>['problem'];

function exitCodeOf(problem: Problem): ExitCode {
  switch (problem.kind) {
    case 'not-tokens':
    case 'bad-field':
    case 'expired':
    case 'bound-token':
    case 'machine':
    case 'client-needed':
    case 'other-client':
      return EXIT.usage;
    case 'other-issuer':
      return EXIT.authorization;
    default:
      return exitCodeOfProblem(problem);
  }
}

async function readGiven(context: Context, { name, file }: ImportRequest): Promise<string> {
  const { input } = context.terminal;
  if (file !== undefined) {
    const read = await readTextFile(resolve(file), { maxBytes: LIMITS.maxLength });
    if (read.ok) return read.value;
    throw new UsageError(
      `the file with the tokens cannot be read (${read.error.kind})`,
      'check its path, its size and its permissions',
    );
  }
  const pipe = `plugboard auth import ${name} < FILE`;
  if (input.isTty) throw new UsageError('there are no tokens on stdin', `pipe them: ${pipe}`);
  return readPiped(input, {
    notText: new UsageError('the input is not text', `pipe JSON: ${pipe}`),
    tooLong: new UsageError('the input is too long', `pipe only the tokens: ${pipe}`),
  });
}

/** The parser's message is dropped, because it quotes the input. */
function tokensIn(text: string): unknown {
  const parsed = parseJson(text, LIMITS);
  return parsed.ok ? parsed.value : undefined;
}

/** The message does not repeat the words, which may be a token. */
function tokenAsArgument(): UsageError {
  return new UsageError(
    'tokens are not taken from the command line, where other programs and the history of your shell can see them',
    'clear them from there, and pipe them: plugboard auth import NAME < FILE',
  );
}
