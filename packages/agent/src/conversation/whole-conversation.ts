// A conversation that a provider takes: every call is answered right after the message that made it, once, and nothing
// else is answered. What was broken off, or read from a damaged file, is made whole here. Pure.

import type { AssistantMessage, Message, ToolAnswer, ToolCall, ToolMessage } from './message.ts';
import { withoutLostReferences } from './repeated-answers.ts';

export function callsOf({ parts }: AssistantMessage): readonly ToolCall[] {
  return parts.filter((part) => part.kind === 'call');
}

export function textAnswer({ id, tool }: ToolCall, text: string, kind?: 'error'): ToolAnswer {
  return { id, tool, isError: kind === 'error', parts: [{ kind: 'text', text }] };
}

/** The text that a message of the model says, without what it thought and called. */
export function assistantText(message: AssistantMessage): string {
  return message.parts
    .map((part) => (part.kind === 'text' ? part.text : ''))
    .join('')
    .trim();
}

/** The same, with an answer for each call that has none, and without answers to nothing and messages of nothing. */
export function wholeConversation(messages: readonly Message[]): readonly Message[] {
  const said = messages.filter((message) => message.kind === 'tool' || message.parts.length > 0);
  const first = said.findIndex(({ kind }) => kind === 'user');
  if (first === -1) return [];
  const whole = said.slice(first).flatMap((message, index, all): readonly Message[] => {
    if (message.kind === 'user') return [message];
    return message.kind === 'tool' ? [] : answered(message, all[index + 1]);
  });
  return withoutLostReferences(whole);
}

function answered(message: AssistantMessage, next: Message | undefined): readonly Message[] {
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
