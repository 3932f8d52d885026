// What a server says when it wants a model to be asked for it, and what it is told. The same in both
// eras. Everything in a request is text from the server: hostile.

import type { Json, JsonObject } from '@plugboard/base';
import type { ContentBlock, ToolDefinition } from './model.ts';

export type SamplingContent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  /** The model wanted a tool of the server's to run. */
  | {
      readonly kind: 'tool-use';
      readonly id: string;
      readonly name: string;
      readonly input: JsonObject;
    }
  /** What came of it. */
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

/** What the server would like of the model; whoever asks one chooses it. */
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
  /** How long the answer may be. */
  readonly maxTokens: number;
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  readonly model?: ModelWishes;
  /** Tools of the server's, for the model to choose from. Only the server runs them. */
  readonly tools?: readonly ToolDefinition[];
  readonly toolChoice?: 'auto' | 'required' | 'none';
}

/** What a model said. */
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
      /** `rejected`: it was not allowed. `invalid`: it breaks the rules. `failed`: the model did. */
      readonly why: 'rejected' | 'invalid' | 'failed';
      /** For the server. */
      readonly message: string;
    };
