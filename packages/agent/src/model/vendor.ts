// The adapter of a vendor: its SDK's model, and the differences between vendors. Reading, retrying and classifying answers
// is the same for all.

import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3StreamPart,
} from '@ai-sdk/provider';
import type { Provider } from '@plugboard/host/adapters';
import type { Fetch } from './bounded-fetch.ts';

export type CallOptions = LanguageModelV3CallOptions;
export type Prompt = CallOptions['prompt'];
export type PromptMessage = Prompt[number];
export type ProviderOptions = NonNullable<CallOptions['providerOptions']>;
export type ToolResult = Extract<
  Extract<PromptMessage, { role: 'tool' }>['content'][number],
  { type: 'tool-result' }
>;
export type FunctionTool = Extract<
  NonNullable<CallOptions['tools']>[number],
  { readonly type: 'function' }
>;

export interface Vendor {
  readonly model: LanguageModelV3;
  /** The provider whose schemas it accepts. */
  readonly schemas: Provider;
  /** Whether images may be in the answer of a tool, or must follow in a separate message. */
  readonly imagesInAnswers: 'inside' | 'behind';
  /** Whether to send back reasoning that has no data of the provider. */
  readonly plainReasoning: 'sent' | 'dropped';
  readonly loading?: ToolLoading;
  /** Completes a request before it is sent: adds options, and marks for the cache. */
  readonly finish: (options: CallOptions) => CallOptions;
}

/** How a provider loads the definitions of found tools. */
export interface ToolLoading {
  /** The maximum number of tools. */
  readonly most: number;
  readonly apply: (options: CallOptions, tools: FoundTools) => CallOptions;
  /** Converts its stream, if it has its own name for the search. */
  readonly read?: (part: LanguageModelV3StreamPart) => LanguageModelV3StreamPart;
}

export interface FoundTools {
  /** The name of the search tool. */
  readonly search: string;
  readonly deferred: readonly FunctionTool[];
  /** By the ids of the search's calls: at least one tool each, all of them in `deferred`. */
  readonly found: ReadonlyMap<string, readonly FunctionTool[]>;
}

export interface VendorSettings {
  readonly model: string;
  /** With its version; never taken from the environment by the SDK. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch: Fetch;
}

export type OpenVendor = (settings: VendorSettings) => Promise<Vendor>;

/** The same prompt, with the results of one tool changed. */
export function withResultsOf(
  tool: string,
  prompt: Prompt,
  change: (result: ToolResult) => ToolResult,
): Prompt {
  return prompt.map((message) =>
    message.role === 'tool'
      ? {
          ...message,
          content: message.content.map((part) =>
            part.type === 'tool-result' && part.toolName === tool ? change(part) : part,
          ),
        }
      : message,
  );
}
