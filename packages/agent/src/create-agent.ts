// Creates an agent in one call: a conversation of a model with the tools of a host and the default system prompt. A
// program that needs another toolbox, transcripts or sub-agents combines the parts itself.

import { never } from '@plugboard/base';
import { hostEnvironment } from '@plugboard/host/configuration';
import {
  type AgentEvent,
  assistantText,
  type Model,
  type TurnEnd,
  type UserMessage,
} from './conversation/index.ts';
import { Conversation, type TurnLimits } from './loop/index.ts';
import { systemPrompt } from './prompt/index.ts';
import { HostToolbox, type ToolHost } from './toolbox/index.ts';

export interface CreateAgentOptions {
  readonly model: Model;
  /** Decides about every call. */
  readonly host: ToolHost;
  /** The working folder in the system prompt; that of the process, by default. */
  readonly folder?: string;
  /** How long the first request waits for the tools of servers. */
  readonly firstWaitMs?: number;
  readonly limits?: Partial<TurnLimits>;
}

export interface AgentAnswer {
  /** The last text of the model. */
  readonly text: string;
  readonly end: TurnEnd;
}

export interface Agent extends Disposable {
  readonly conversation: Conversation;
  /** Runs one turn, and yields its events. Never throws. */
  send(message: UserMessage, signal: AbortSignal): AsyncIterable<AgentEvent>;
  /** Runs one turn, and returns its answer. Never throws: `end` says how it ended. */
  ask(text: string, signal?: AbortSignal): Promise<AgentAnswer>;
}

const FIRST_WAIT_MS = 10_000;

export function createAgent(options: CreateAgentOptions): Agent {
  const { model, host, firstWaitMs = FIRST_WAIT_MS, limits = {} } = options;
  const { cwd, platform } = hostEnvironment();
  const { contextTokens } = model;
  const toolbox = new HostToolbox({ host, contextTokens, firstWaitMs, firstWaitFor: 'all' });
  const conversation = new Conversation({
    model,
    toolbox,
    limits,
    system: () =>
      systemPrompt({ folder: options.folder ?? cwd, platform, ...toolbox.promptFacts() }),
    firstTools: (signal) => toolbox.firstTools(signal),
  });
  const send: Agent['send'] = (message, signal) => conversation.send(message, signal);
  return {
    conversation,
    send,
    async ask(text, signal = never) {
      let answer: AgentAnswer = { text: '', end: { kind: 'cancelled' } };
      for await (const event of send({ kind: 'user', parts: [{ kind: 'text', text }] }, signal)) {
        if (event.kind === 'message' && event.message.kind === 'assistant') {
          answer = { ...answer, text: assistantText(event.message) };
        }
        if (event.kind === 'turn-ended') answer = { ...answer, end: event.end };
      }
      return answer;
    },
    [Symbol.dispose]: () => toolbox[Symbol.dispose](),
  };
}
