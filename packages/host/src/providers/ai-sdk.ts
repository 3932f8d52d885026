// A host's tools as a tool set of the AI SDK, made with the program's own `ai`, so that this package does not
// depend on it. The SDK calls `execute`; a result that is an error is thrown, as the SDK expects.

import { CodedError, definedFields } from '@plugboard/base';
import type { CallOutcome } from '../host/index.ts';
import type { Answer } from '../model-tools/index.ts';
import { type Content, contentOf, answerText } from './answer-content.ts';
import { type FitOptions, fitTools, type ToolSource } from './fit-tools.ts';

/** The part of `ai` that is used, from 6 on. */
export interface AiSdk<Tool> {
  // These values are branded with symbols of that package, so their types are unknown here.
  readonly jsonSchema: (schema: never) => unknown;
  readonly dynamicTool: (tool: never) => Tool;
}

export interface AiSdkTools<Tool> {
  /** By name, as `generateText` and `streamText` take them. */
  readonly tools: Record<string, Tool>;
  /** The servers whose tools are missing. */
  readonly problems: readonly CallOutcome[];
}

type ModelContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image-data'; readonly data: string; readonly mediaType: string };

export async function aiSdkTools<Tool>(
  host: ToolSource,
  ai: AiSdk<Tool>,
  options?: FitOptions,
): Promise<AiSdkTools<Tool>> {
  // Schemas that any provider accepts, since the provider is unknown here.
  const { fit, problems, run } = await fitTools(host, 'openai', options);
  const entries = fit.map(({ tool: { name, title, description }, schema }) => {
    const definition = {
      ...definedFields({ title }),
      description,
      inputSchema: ai.jsonSchema(schema as never),
      execute: async (given: unknown, { abortSignal }: { readonly abortSignal?: AbortSignal }) =>
        resultOf(await run(name, given, abortSignal)),
      toModelOutput: ({ output }: { readonly output: unknown }) => ({
        type: 'content' as const,
        // The output is always what `execute` returned.
        value: contentOf(output as Answer).map(toModelContent),
      }),
    };
    return [name, ai.dynamicTool(definition as never)] as const;
  });
  return { tools: Object.fromEntries(entries), problems };
}

function resultOf(answer: Answer): Answer {
  if (!answer.isError) return answer;
  throw new CodedError('tool-failed', answerText(answer), { data: answer.parts });
}

function toModelContent(content: Content): ModelContent {
  return content.kind === 'text'
    ? { type: 'text', text: content.text }
    : { type: 'image-data', data: content.data, mediaType: content.mimeType };
}
