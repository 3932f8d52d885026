// The messages of a conversation, in the form that all models and transcripts share. Plain data that survives JSON.

import { canonicalJson, type JsonObject } from '@plugboard/base';
import type { SavedFile } from '@plugboard/host';

export type Message = UserMessage | AssistantMessage | ToolMessage;

export interface UserMessage {
  readonly kind: 'user';
  readonly parts: readonly UserPart[];
}

export type UserPart =
  | TextPart
  | ImagePart
  /** A file or a resource that the user attached by name. */
  | { readonly kind: 'attachment'; readonly label: string; readonly text: string };

export interface TextPart {
  readonly kind: 'text';
  readonly text: string;
}

export interface ImagePart {
  readonly kind: 'image';
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
}

export interface AssistantMessage {
  readonly kind: 'assistant';
  readonly parts: readonly AssistantPart[];
}

export type AssistantPart = TextPart | ReasoningPart | ToolCall;

export interface ReasoningPart {
  readonly kind: 'reasoning';
  readonly text: string;
  /** Data that the provider requires back with it, unchanged. */
  readonly provider?: JsonObject;
}

export interface ToolCall {
  readonly kind: 'call';
  readonly id: string;
  /** The model name. */
  readonly tool: string;
  readonly arguments: JsonObject;
  /** Why its arguments could not be parsed and are empty. The call is answered with an error, and not run. */
  readonly unreadable?: string;
  readonly provider?: JsonObject;
}

/** Equal for calls of one tool with the same arguments: models do not keep the order of keys. */
export function callKey({ tool, arguments: given }: ToolCall): string {
  return canonicalJson([tool, given]);
}

/** The answers to all calls of the message before it, in their order. */
export interface ToolMessage {
  readonly kind: 'tool';
  readonly answers: readonly ToolAnswer[];
}

export interface ToolAnswer {
  readonly id: string;
  readonly tool: string;
  readonly isError: boolean;
  readonly parts: readonly (TextPart | ImagePart)[];
  /** The results that the host saved in files, as stated by the host and not by a server. */
  readonly results?: readonly SavedFile[];
  /** For a search of tools: the names of the found tools, for models that load them by name. */
  readonly found?: readonly string[];
  /** The id of an earlier call with the same answer; the parts only refer to it. */
  readonly repeats?: string;
}

/** All saved results of these messages. */
export function resultsOf(messages: readonly Message[]): readonly SavedFile[] {
  return messages.flatMap((message) =>
    message.kind === 'tool' ? message.answers.flatMap(({ results = [] }) => results) : [],
  );
}
