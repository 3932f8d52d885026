// A host's tools for Gemini: `functionDeclarations` is part of the request's tools, and `run` turns a part with a function
// call into the part that answers it.

import { definedFields } from '@plugboard/base';
import type { CallOutcome } from '../host/index.ts';
import { answerText } from './answer-content.ts';
import { type FitOptions, fitTools, type ToolSource } from './fit-tools.ts';

export interface GeminiTools {
  readonly functionDeclarations: GeminiFunction[];
  /** The servers whose tools are missing. */
  readonly problems: readonly CallOutcome[];
  readonly run: (part: GeminiCall, signal?: AbortSignal) => Promise<GeminiResponse>;
}

export interface GeminiFunction {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

/** A part as in the API's own types. One without a call is answered like a call of an unknown tool. */
export interface GeminiCall {
  readonly functionCall?: { readonly id?: string; readonly name?: string; readonly args?: unknown };
}

export interface GeminiResponse {
  functionResponse: { id?: string; name: string; response: { output: string } | { error: string } };
}

export async function geminiTools(host: ToolSource, options?: FitOptions): Promise<GeminiTools> {
  const { fit, problems, run } = await fitTools(host, 'gemini', options);
  return {
    functionDeclarations: fit.map(({ tool: { name, description }, schema }) => ({
      name,
      description,
      parameters: { ...schema },
    })),
    problems,
    run: async ({ functionCall = {} }, signal) => {
      const { id, name = '', args } = functionCall;
      const answer = await run(name, args, signal);
      const text = answerText(answer);
      const response = answer.isError ? { error: text } : { output: text };
      return { functionResponse: { ...definedFields({ id }), name, response } };
    },
  };
}
