// A to-do list that the model maintains and the user sees. The list is stored in the calls themselves, and the last one
// counts, so that a resumed conversation has it again.

import { isObject, type JsonObject } from '@plugboard/base';
import { type Message, textAnswer } from '../conversation/index.ts';
import type { OwnTool } from './own-toolbox.ts';

export const UPDATE_TODOS = 'update_todos';

const STATES = ['open', 'doing', 'done'] as const;

export interface Todo {
  readonly text: string;
  readonly state: (typeof STATES)[number];
}

const MOST_ITEMS = 50;
const MOST_CHARACTERS = 200;

export const TODO_TOOL: OwnTool = {
  title: 'To do',
  definition: {
    name: UPDATE_TODOS,
    description:
      'Keeps a list of what is to do, which the user sees. Use it for work of three steps or more: write the list when you begin, have one item "doing" at a time, and mark each "done" as soon as it is. Each call gives the whole list.',
    inputSchema: {
      type: 'object',
      properties: {
        items: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              text: { type: 'string', description: 'What is to be done, in a few words' },
              state: { type: 'string', enum: [...STATES] },
            },
            required: ['text', 'state'],
          },
        },
      },
      required: ['items'],
    },
  },
  run(call) {
    const items = readTodos(call.arguments);
    if (items === undefined) {
      const words = `${UPDATE_TODOS} takes { "items": [{ "text": "…", "state": "open" | "doing" | "done" }] }, at most ${MOST_ITEMS}.`;
      return Promise.resolve(textAnswer(call, words, 'error'));
    }
    const left = items.filter(({ state }) => state !== 'done').length;
    return Promise.resolve(textAnswer(call, `The user sees the list: ${left} left.`));
  },
};

/** `undefined` if the arguments are not a valid list. */
export function readTodos({ items }: JsonObject): readonly Todo[] | undefined {
  if (!Array.isArray(items) || items.length > MOST_ITEMS) return undefined;
  const read = (items as readonly unknown[]).flatMap((item): readonly Todo[] => {
    if (!isObject(item)) return [];
    const { text, state } = item;
    const known = STATES.find((one) => one === state);
    if (typeof text !== 'string' || known === undefined) return [];
    return [{ text: text.replaceAll(/\s+/g, ' ').trim().slice(0, MOST_CHARACTERS), state: known }];
  });
  return read.length === items.length ? read : undefined;
}

/** The list of the last valid call. */
export function todosOf(messages: readonly Message[]): readonly Todo[] {
  for (const message of messages.toReversed()) {
    if (message.kind !== 'assistant') continue;
    for (const part of message.parts.toReversed()) {
      if (part.kind !== 'call' || part.tool !== UPDATE_TODOS) continue;
      const items = readTodos(part.arguments);
      if (items !== undefined) return items;
    }
  }
  return [];
}
