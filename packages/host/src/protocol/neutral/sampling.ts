// A server's request for sampling, and its answer. The same in both eras. Everything in a request is text from
// the server: hostile.

import type { Json, JsonObject } from '@plugboard/base';
import type { ContentBlock, ToolDefinition } from './model.ts';

export type SamplingContent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  /** The model called a tool of the server. */
  | {
      readonly kind: 'tool-use';
      readonly id: string;
      readonly name: string;
      readonly input: JsonObject;
    }
  /** The result of that call. */
  | {
      readonly kind: 'tool-result';
      readonly toolUseId: string;
      readonly content: readonly ContentBlock[];
      readonly structuredContent?: Json;
      readonly isError: boolean;
    };

export interface SamplingMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly SamplingContent[];
}

/** The server's preferences. The program that embeds the host chooses the model. */
export interface ModelWishes {
  readonly hints: readonly string[];
  /** From 0 to 1. */
  readonly cost?: number;
  readonly speed?: number;
  readonly intelligence?: number;
}

export interface SamplingRequest {
  readonly systemPrompt?: string;
  readonly messages: readonly SamplingMessage[];
  /** The maximum length of the answer. */
  readonly maxTokens: number;
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  readonly model?: ModelWishes;
  /** Tools of the server that the model may call. Only the server runs them. */
  readonly tools?: readonly ToolDefinition[];
  readonly toolChoice?: 'auto' | 'required' | 'none';
}

/** The model's answer. */
export interface SampledMessage {
  readonly content: readonly Exclude<SamplingContent, { readonly kind: 'tool-result' }>[];
  /** The name of the model. */
  readonly model: string;
  readonly stopReason?: 'endTurn' | 'stopSequence' | 'maxTokens' | 'toolUse' | (string & {});
}

export type SamplingAnswer =
  | { readonly kind: 'message'; readonly message: SampledMessage }
  | {
      readonly kind: 'refused';
      /** `rejected`: not allowed. `invalid`: the request breaks the rules. `failed`: the model failed. */
      readonly why: 'rejected' | 'invalid' | 'failed';
      /** Sent to the server. */
      readonly message: string;
    };
