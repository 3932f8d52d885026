// A tool that asks the client in the way of its era, and returns the answers. Its arguments are the questions, which it
// sends unchanged.

import type { Json, JsonObject } from '@plugboard/base';
import { objectOf } from './json-rpc.ts';
import { type Outcome, text, type Tool, type ToolCall } from './tool-call.ts';

const URL_ELICITATION_REQUIRED = -32042;

/**
 * `questions`: the params of each. `refusals`: how many calls a legacy server refuses with them instead of
 * asking. `finishes`: the id of a visit that it reports as done right after asking.
 */
export function askingTool(): Tool {
  let refused = 0;
  return {
    definition: { name: 'ask', description: 'Asks, and answers with the answers' },
    async run(call) {
      const { args, era, inputResponses: responses } = call;
      const questions = listOf(args['questions']).map(objectOf);
      const refusals = Number(args['refusals'] ?? 0);
      if (era === 'legacy' && refusals > 0) {
        refused += 1;
        return refused <= refusals ? refusal(questions) : text('served');
      }
      if (era === 'legacy') return askEach(call, questions);
      if (responses !== undefined) {
        return text(JSON.stringify(questions.map((_, index) => responses[`q${index}`] ?? null)));
      }
      const inputRequests = Object.fromEntries(
        questions.map((params, index) => [`q${index}`, { method: 'elicitation/create', params }]),
      );
      return { kind: 'result', result: { resultType: 'input_required', inputRequests } };
    },
  };
}

async function askEach(
  { args, ask, notify }: ToolCall,
  questions: readonly JsonObject[],
): Promise<Outcome> {
  const asked = questions.map(async (params) => {
    const { result, error } = await ask('elicitation/create', params);
    return result ?? error ?? null;
  });
  const { finishes } = args;
  if (typeof finishes === 'string') {
    notify('notifications/elicitation/complete', { elicitationId: finishes });
  }
  return text(JSON.stringify(await Promise.all(asked)));
}

function refusal(questions: readonly JsonObject[]): Outcome {
  const error = {
    code: URL_ELICITATION_REQUIRED,
    message: 'Somebody has to visit a page first',
    data: { elicitations: questions },
  };
  return { kind: 'error', error };
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}
