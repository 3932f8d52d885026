// A chat in which nothing happens by itself, and its screen.

import { err } from '@plugboard/base';
import type { Chat, ChatEvent } from '../../src/chat/index.ts';
import { firstScreen, onEvent, type Screen } from '../../src/tui/state/index.ts';

export interface EmptyChat extends Chat {
  tell(event: ChatEvent): void;
  /** The calls of its methods, in order. */
  readonly asked: readonly unknown[];
}

export function emptyChat(changes: Partial<Chat> = {}): EmptyChat {
  const listeners = new Set<(event: ChatEvent) => void>();
  const asked: unknown[] = [];
  return {
    opening: {
      version: '1',
      folder: '/f',
      model: { kind: 'none', ways: [] },
      servers: 0,
      builtIn: 1,
      problems: [],
      mode: 'ask',
    },
    earlier: [],
    history: [],
    on(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    submit(text) {
      asked.push({ submit: text });
      return Promise.resolve({ kind: 'taken' });
    },
    choose(line) {
      asked.push({ choose: line });
      return Promise.resolve({ kind: 'taken' });
    },
    clipboardPicture: () => Promise.resolve(err({ level: 'info', text: 'none' } as const)),
    cancel: () => void asked.push('cancel'),
    turnMode: () => void asked.push('mode'),
    answer: (answer) => void asked.push(answer),
    complete: () => Promise.resolve({ start: 0, choices: [] }),
    servers: () => [],
    act: () => Promise.resolve({ level: 'info', text: 'done' }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
    ...changes,
    tell: (event) => {
      for (const listener of listeners) listener(event);
    },
    asked,
  };
}

export function emptyScreen(chat: Chat = emptyChat()): Screen {
  return firstScreen(chat, { columns: 80, rows: 24 });
}

export function after(events: readonly ChatEvent[], screen: Screen = emptyScreen()): Screen {
  return events.reduce((now, event) => onEvent(now, event, 1000), screen);
}

type AgentEvent = Extract<ChatEvent, { readonly kind: 'agent' }>['event'];
type PartialAgentEvent = AgentEvent extends infer One
  ? One extends { readonly agent: string }
    ? Omit<One, 'agent'> & { readonly agent?: string }
    : never
  : never;

export function agent(event: PartialAgentEvent): ChatEvent {
  return { kind: 'agent', event: { agent: 'agent', ...event } as AgentEvent };
}

export const STARTED: ChatEvent = agent({
  kind: 'turn-started',
  message: { kind: 'user', parts: [{ kind: 'text', text: 'go' }] },
});

export const ENDED: ChatEvent = agent({ kind: 'turn-ended', end: { kind: 'done' } });

export function callStarted(id: string, name = 'agent'): ChatEvent {
  const facts = { tool: 'mcp__s__t', server: 's', title: 'T', arguments: { a: 1 } };
  return agent({ kind: 'call-started', id, ...facts, agent: name });
}

export function callEnded(id: string, isError = false): ChatEvent {
  const answer = { id, tool: 'mcp__s__t', isError, parts: [] };
  return agent({ kind: 'call-ended', id, ms: 5, answer });
}

export function approval(id: string, callId?: string): ChatEvent {
  return {
    kind: 'approval',
    approval: {
      id,
      ...(callId === undefined ? {} : { callId }),
      server: 's',
      tool: 't',
      asker: 'agent',
      arguments: { a: 1 },
      why: 'no rule',
      offers: ['once', 'session'],
    },
  };
}
