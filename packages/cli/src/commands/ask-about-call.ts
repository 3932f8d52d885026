// The question about a call, on a terminal: what would be called and why it is asked, then for how long a yes counts.
// Anything that is not a clear yes is a no.

import type { Approval, ApprovalRequest, ReadRequest, Remember } from '@plugboard/host';
import { hostEnvironment } from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { callQuestion, callScreen, readScreen } from '../print/call-screen.ts';
import { withoutProgress } from '../print/progress.ts';
import { CancelledError } from '../usage-error.ts';
import { askAboutText } from './ask-about-text.ts';

export function askAboutCall(context: Context, request: ApprovalRequest): Promise<Approval> {
  // The command ends with the call: for a session is for once.
  const offers = request.offers.filter((offer) => offer !== 'session');
  return askApproval(context, callScreen(request, hostEnvironment()), offers);
}

/** The same about a resource. */
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
    const remember = meantBy(answer, offers);
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

/** For how long a yes counts that was typed; `undefined` if it is not a clear yes to what was offered. */
export function meantBy(answer: string, offers: readonly Remember[]): Remember | undefined {
  const wanted = WORDS.get(answer.trim().toLowerCase());
  return wanted !== undefined && offers.includes(wanted) ? wanted : undefined;
}
