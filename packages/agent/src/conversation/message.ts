// What was said, in the form that every model and every file of a transcript shares. Plain data that survives JSON.

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
  /** A file or a resource that was put into the message by name. */
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
  /** What the provider wants back with it, as it came. */
  readonly provider?: JsonObject;
}

export interface ToolCall {
  readonly kind: 'call';
  readonly id: string;
  /** The name for models. */
  readonly tool: string;
  readonly arguments: JsonObject;
  /** Why its arguments could not be read, and so are none: it is to be answered with an error and not run. */
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
  /** What the host put into files of what the tool gave. It is the host's word, and nothing that a server said. */
  readonly results?: readonly SavedFile[];
  /** Of a search for tools: the names of those that it found, for models that load them by name. The parts say it in words. */
  readonly found?: readonly string[];
  /** The id of the call above whose answer is the same; the parts only say so. */
  readonly repeats?: string;
}

/** All results that these messages tell of. */
export function resultsOf(messages: readonly Message[]): readonly SavedFile[] {
  return messages.flatMap((message) =>
    message.kind === 'tool' ? message.answers.flatMap(({ results = [] }) => results) : [],
  );
}
