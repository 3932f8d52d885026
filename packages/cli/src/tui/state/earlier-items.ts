// The items of a resumed conversation. Only its end is drawn: users do not scroll further back, and the model has all of it
// anyway.

import type { Message, ToolAnswer, ToolCall } from '@plugboard/agent';
import type { CallView } from '../view/call-view.ts';
import type { Content, Item } from './item.ts';

const MOST_SHOWN = 60;

export interface EarlierItems {
  readonly items: readonly Item[];
  readonly nextId: number;
}

export function earlierItems(messages: readonly Message[]): EarlierItems {
  const shown = messages.slice(-MOST_SHOWN);
  const left = messages.length - shown.length;
  const answers = new Map(
    shown.flatMap((message) =>
      message.kind === 'tool' ? message.answers.map((answer) => [answer.id, answer] as const) : [],
    ),
  );
  const contents: Content[] = [{ kind: 'opening' }];
  if (left > 0) {
    const text = `… ${left} earlier messages are not shown`;
    contents.push({ kind: 'notice', notice: { level: 'info', text } });
  }
  for (const message of shown) contents.push(...contentsOf(message, answers));
  return { items: contents.map((content, id) => ({ ...content, id })), nextId: contents.length };
}

function contentsOf(
  message: Message,
  answers: ReadonlyMap<string, ToolAnswer>,
): readonly Content[] {
  switch (message.kind) {
    case 'user':
      return [{ kind: 'user', parts: message.parts }];
    case 'tool':
      return [];
    case 'assistant':
      return message.parts.map((part): Content => {
        switch (part.kind) {
          case 'text':
            return { kind: 'text', text: part.text, isOpen: false };
          case 'reasoning':
            return { kind: 'reasoning', text: part.text, isOpen: false };
          case 'call':
            return { kind: 'call', call: earlierCall(part, answers.get(part.id)) };
          default:
            return part satisfies never;
        }
      });
    default:
      return message satisfies never;
  }
}

function earlierCall(call: ToolCall, answer: ToolAnswer | undefined): CallView {
  const { id, tool } = call;
  const state = answer === undefined ? 'cancelled' : answer.isError ? 'failed' : 'done';
  const facts = { id, tool, agent: '', server: '', title: tool, arguments: call.arguments };
  return { ...facts, state, startedAt: 0, ...(answer === undefined ? {} : { answer }) };
}
