// What an adapter of a vendor gives: its SDK's model behind the one interface that all of them share, and the little
// in which they differ. How an answer is read, retried and classified is the same for all.

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
  /** Whose schemas it takes. */
  readonly schemas: Provider;
  /** The name under which the SDK keeps what it wants back. */
  readonly metadataKey: string;
  /** Whether images may be in the answer of a tool, or have to come in a message behind it. */
  readonly imagesInAnswers: 'inside' | 'behind';
  /** Whether reasoning is sent back that came without anything of the provider's. */
  readonly plainReasoning: 'sent' | 'dropped';
  readonly loading?: ToolLoading;
  /** The last touch before a call is sent: options, marks for the cache. */
  readonly finish: (options: CallOptions) => CallOptions;
}

/** How a provider loads the definitions of tools that our search found. */
export interface ToolLoading {
  /** The maximum number of tools that it is given. */
  readonly most: number;
  readonly apply: (options: CallOptions, tools: FoundTools) => CallOptions;
  /** What it streams, where it calls the search by its own name. */
  readonly read?: (part: LanguageModelV3StreamPart) => LanguageModelV3StreamPart;
}

export interface FoundTools {
  /** The name of our search. */
  readonly search: string;
  readonly deferred: readonly FunctionTool[];
  /** By the ids of calls of the search, at least one for each, all of `deferred`. */
  readonly found: ReadonlyMap<string, readonly FunctionTool[]>;
}

export interface VendorSettings {
  readonly model: string;
  /** With its version, and never left to the environment. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** As it is written before the model's name. */
  readonly provider: string;
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
