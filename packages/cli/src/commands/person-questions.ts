// Asks the user who typed the command what a server wants to know. Without a terminal, the question is declined.

import { type Elicit, nobodyToAsk } from '@plugboard/host';
import type { Context } from '../context.ts';

export function personQuestions(context: Context): Elicit {
  const { err, input } = context.terminal;
  if (context.isJson || !err.isTty || !input.isTty) return nobodyToAsk;
  return async (request) => {
    const { answerQuestion } = await import('./answer-question.ts');
    return answerQuestion(context, request);
  };
}
