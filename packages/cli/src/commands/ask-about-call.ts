// Asks about a call on a terminal: shows the call and the reason, and reads how long the approval is valid. Any answer that
// is not a clear yes is a no.

import type { Approval, ApprovalRequest, ReadRequest, Remember } from '@plugboard/host';
import { hostEnvironment } from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { callQuestion, callScreen, readScreen } from '../print/call-screen.ts';
import { withoutProgress } from '../print/progress.ts';
import { CancelledError } from '../usage-error.ts';
import { askAboutText } from './ask-about-text.ts';

export function askAboutCall(context: Context, request: ApprovalRequest): Promise<Approval> {
  // The command ends with the call, so an approval for the session is the same as for once.
  const offers = request.offers.filter((offer) => offer !== 'session');
  return askApproval(context, callScreen(request, hostEnvironment()), offers);
}

/** Asks about a resource. */
export function askAboutRead(context: Context, request: ReadRequest): Promise<Approval> {
  return askApproval(context, readScreen(request, hostEnvironment()), ['once']);
}

function askApproval(
  context: Context,
  screen: string,
  offers: readonly Remember[],
): Promise<Approval> {
  return withoutProgress(context, async () => {
    const answer = await askAboutText(context.terminal, screen, callQuestion(offers));
    if (answer === undefined) throw new CancelledError();
    const remember = rememberIn(answer, offers);
    return remember === undefined
      ? { kind: 'deny', reason: 'you said no' }
      : { kind: 'allow', remember };
  });
}

const WORDS: ReadonlyMap<string, Remember> = new Map([
  ['y', 'once'],
  ['yes', 'once'],
  ['once', 'once'],
  ['s', 'script'],
  ['script', 'script'],
  ['u', 'session'],
  ['until', 'session'],
  ['a', 'always'],
  ['always', 'always'],
  ['h', 'always-here'],
  ['here', 'always-here'],
]);

/** How long the approval is valid. `undefined` if the answer is not a clear yes to one of the offers. */
export function rememberIn(answer: string, offers: readonly Remember[]): Remember | undefined {
  const wanted = WORDS.get(answer.trim().toLowerCase());
  return wanted !== undefined && offers.includes(wanted) ? wanted : undefined;
}
