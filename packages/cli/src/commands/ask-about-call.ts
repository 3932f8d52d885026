// The question about a call, on a terminal: what would be called and why it is asked, then for how long a
// yes counts. Anything that is no clear yes is a no.

import type { Approval, ApprovalRequest, Remember } from '@plugboard/host';
import { hostEnvironment } from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { callQuestion, callScreen } from '../print/call-screen.ts';
import { withoutProgress } from '../print/progress.ts';
import { UsageError } from '../usage-error.ts';

export async function askAboutCall(context: Context, request: ApprovalRequest): Promise<Approval> {
  const { err, input } = context.terminal;
  // The command ends with the call: for a session is for once.
  const offers = request.offers.filter((offer) => offer !== 'session');
  return withoutProgress(context, async () => {
    err.write(callScreen(request, hostEnvironment()));
    const answer = await input.ask(callQuestion(offers));
    if (answer === undefined) throw new UsageError('interrupted', 'run the command again');
    const remember = meant(answer.trim().toLowerCase(), offers);
    return remember === undefined
      ? { kind: 'deny', reason: 'you said no' }
      : { kind: 'allow', remember };
  });
}

const WORDS: ReadonlyMap<string, Remember> = new Map([
  ['y', 'once'],
  ['yes', 'once'],
  ['once', 'once'],
  ['a', 'always'],
  ['always', 'always'],
  ['h', 'always-here'],
  ['here', 'always-here'],
]);

function meant(answer: string, offers: readonly Remember[]): Remember | undefined {
  const wanted = WORDS.get(answer);
  return wanted !== undefined && offers.includes(wanted) ? wanted : undefined;
}
