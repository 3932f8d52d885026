// Finds the server of a resource or prompt that was named without one. If several servers have it, the user must
// choose.

import type { Host, Located } from '@plugboard/host';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printError, type ShownError } from '../print/error.ts';
import { waitingForAll } from '../print/progress.ts';
import { subjectOf } from '../print/subject.ts';
import { unansweredError } from '../print/unanswered.ts';
import { didYouMean } from '../usage-error.ts';

export interface LocateOptions extends Wanted {
  /** The server that the user named. Nothing is looked up then. */
  readonly server?: string | undefined;
  readonly locate: (signal: AbortSignal) => Promise<Located>;
}

interface Wanted {
  /** `resource`, `prompt` or `skill`. */
  readonly what: string;
  /** The command that lists them. */
  readonly list: string;
  /** The command, for the user to repeat with a server. */
  readonly again: string;
}

export type LocatedServer =
  | { readonly kind: 'found'; readonly server: string }
  | { readonly kind: 'failed'; readonly code: ExitCode };

export async function locateServer(
  context: Context,
  host: Host,
  { server, locate, ...wanted }: LocateOptions,
): Promise<LocatedServer> {
  if (server !== undefined) return { kind: 'found', server };
  const located = await waitingForAll(context, host, locate);
  if (located.kind === 'found') return located;
  printError(context, shownError(host, located, wanted));
  return { kind: 'failed', code: EXIT.usage };
}

function shownError(
  host: Host,
  located: Exclude<Located, { readonly kind: 'found' }>,
  { what, list, again }: Wanted,
): ShownError {
  if (located.kind === 'several') {
    const [first = ''] = located.servers;
    return {
      kind: `ambiguous-${what}`,
      message: `several servers have the ${what} "${located.asked}": ${located.servers.join(', ')}`,
      fix: `say whose: ${again} --server ${first}`,
    };
  }
  const { asked, nearest, problems } = located;
  const details = problems.map((problem) => {
    const { message } = unansweredError(problem, subjectOf(host, problem.server));
    return message;
  });
  return {
    kind: `unknown-${what}`,
    message: `no server has the ${what} "${asked}"`,
    fix: didYouMean(nearest, `see the list: plugboard ${list}`),
    ...(details.length === 0 ? {} : { details }),
  };
}
