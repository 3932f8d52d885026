// Repairs a conversation so that a provider accepts it: every call is answered once, directly after the message with the
// call, and there are no other answers. A conversation may have been cut off, or read from a damaged file. Pure.

import type { AssistantMessage, Message, ToolAnswer, ToolCall, ToolMessage } from './message.ts';
import { withoutLostReferences } from './repeated-answers.ts';

export function callsOf({ parts }: AssistantMessage): readonly ToolCall[] {
  return parts.filter((part) => part.kind === 'call');
}

export function textAnswer({ id, tool }: ToolCall, text: string, kind?: 'error'): ToolAnswer {
  return { id, tool, isError: kind === 'error', parts: [{ kind: 'text', text }] };
}

/** The text of a message of the model, without its reasoning and its calls. */
export function assistantText(message: AssistantMessage): string {
  return message.parts
    .map((part) => (part.kind === 'text' ? part.text : ''))
    .join('')
    .trim();
}

/** Adds missing answers, and removes answers without a call and empty messages. */
export function wholeConversation(messages: readonly Message[]): readonly Message[] {
  const nonEmpty = messages.filter(
    (message) => message.kind === 'tool' || message.parts.length > 0,
  );
  const first = nonEmpty.findIndex(({ kind }) => kind === 'user');
  if (first === -1) return [];
  const whole = nonEmpty.slice(first).flatMap((message, index, all): readonly Message[] => {
    if (message.kind === 'user') return [message];
    return message.kind === 'tool' ? [] : withAnswers(message, all[index + 1]);
  });
  return withoutLostReferences(whole);
}

function withAnswers(message: AssistantMessage, next: Message | undefined): readonly Message[] {
  const calls = callsOf(message);
  if (calls.length === 0) return [message];
  const given = next?.kind === 'tool' ? next.answers : [];
  const answers = calls.map(
    (call) => given.find(({ id }) => id === call.id) ?? textAnswer(call, BROKEN_OFF, 'error'),
  );
  const tool: ToolMessage = { kind: 'tool', answers };
  return [message, tool];
}

const BROKEN_OFF = 'Not known: the conversation was broken off before the call was answered.';
