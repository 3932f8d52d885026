// What an event of a turn changes on the screen. Of a sub-agent only the calls are shown, with its name: its text goes to the
// agent that delegated to it, as the answer of a call.

import { type AgentEvent, readTodos, type TurnEnd, UPDATE_TODOS } from '@plugboard/agent';
import { clockTime } from '../../print/model-failure.ts';
import type { CallView } from '../view/call-view.ts';
import {
  withTurnAbandoned,
  withCallChanged,
  withTextsClosed,
  withTextPiece,
  withItems,
} from './live.ts';
import type { Screen, Turn } from './screen.ts';

export function onAgentEvent(screen: Screen, event: AgentEvent, now: number): Screen {
  switch (event.kind) {
    case 'call-announced':
    case 'call-started':
    case 'call-progress':
    case 'call-ended':
      return onCall(screen, event, now);
    case 'usage':
      return withUsage(screen, event);
    default:
      return isDelegated(screen, event.agent) ? screen : onTurn(screen, event, now);
  }
}

function isDelegated({ turn }: Screen, agent: string): boolean {
  return turn !== undefined && turn.agent !== agent;
}

type CallEvent = Extract<
  AgentEvent,
  { readonly kind: 'call-announced' | 'call-started' | 'call-progress' | 'call-ended' }
>;
type TurnEvent = Exclude<AgentEvent, CallEvent | { readonly kind: 'usage' }>;

function onTurn(screen: Screen, event: TurnEvent, now: number): Screen {
  switch (event.kind) {
    case 'turn-started': {
      const { agent } = event;
      const turn: Turn = { agent, startedAt: now, doing: 'thinking', isCancelled: false };
      return withItems(
        { ...withTurnAbandoned(screen), turn },
        { kind: 'user', parts: event.message.parts },
      );
    }
    case 'text':
      return withTextPiece(withActivity(screen, 'writing'), 'text', event.text);
    case 'reasoning':
      return withTextPiece(withActivity(screen, 'thinking'), 'reasoning', event.text);
    case 'retrying': {
      const seconds = Math.max(1, Math.round(event.afterMs / 1000));
      const text = `${event.failure.message}; trying again in ${seconds} s, at ${clockTime(now + event.afterMs)}`;
      const notice = { level: 'warning', text } as const;
      const later = withActivity(withTextsClosed(screen), 'retrying');
      const turn = later.turn && { ...later.turn, retryAt: now + event.afterMs };
      return withItems(
        { ...later, ...(turn === undefined ? {} : { turn }) },
        { kind: 'notice', notice },
      );
    }
    case 'message':
      return event.message.kind === 'user'
        ? screen
        : withActivity(withTextsClosed(screen), 'thinking');
    case 'servers':
      return screen;
    case 'compacted': {
      const text = `the conversation was shortened: ${event.tokensBefore} tokens are now ${event.tokensAfter}`;
      return withItems(screen, { kind: 'notice', notice: { level: 'info', text } });
    }
    case 'turn-ended': {
      const { turn, ...rest } = withTurnAbandoned(screen);
      const ms = turn === undefined ? 0 : now - turn.startedAt;
      const notices = isAnswerEmpty(rest, event.end)
        ? [{ kind: 'notice', notice: EMPTY_ANSWER } as const]
        : [];
      return withItems(rest, ...notices, { kind: 'turn-end', end: event.end, ms });
    }
    default:
      return event satisfies never;
  }
}

const EMPTY_ANSWER = { level: 'warning', text: 'The model gave an empty answer.' } as const;

/** Whether the turn ended without an answer, which is shown to the user. */
function isAnswerEmpty({ finished, live }: Screen, end: TurnEnd): boolean {
  return end.kind === 'done' && (live.at(-1) ?? finished.at(-1))?.kind === 'user';
}

function onCall(screen: Screen, event: CallEvent, now: number): Screen {
  if ('tool' in event && event.tool === UPDATE_TODOS) return withTodos(screen, event);
  switch (event.kind) {
    case 'call-announced':
      return withNewCall(screen, { ...BLANK, ...event, title: event.tool, startedAt: now });
    case 'call-started': {
      const { agent, id, tool, server, title } = event;
      const facts = { agent, id, tool, server, title, arguments: event.arguments, startedAt: now };
      const isKnown = screen.live.some((item) => item.kind === 'call' && item.call.id === id);
      if (!isKnown) return withNewCall(screen, { ...facts, state: 'running' });
      return withCallChanged(withActivity(screen, 'calling'), id, (call) => ({
        ...call,
        ...facts,
        state: call.state === 'announced' ? 'running' : call.state,
      }));
    }
    case 'call-progress':
      return withCallChanged(screen, event.id, (call) => ({ ...call, progress: event.progress }));
    case 'call-ended': {
      const { id, answer, ms } = event;
      const isCancelled = screen.turn?.isCancelled === true;
      const state = !answer.isError ? 'done' : isCancelled ? 'cancelled' : 'failed';
      // The time in which the user decided about the call is not counted.
      return withCallChanged(screen, id, (call) => ({
        ...call,
        state,
        answer,
        ms: Math.max(0, ms - (call.waitedMs ?? 0)),
      }));
    }
    default:
      return event satisfies never;
  }
}

/** Shows the to-do list itself instead of the call that changes it. */
function withTodos(screen: Screen, event: CallEvent): Screen {
  const todos = event.kind === 'call-started' ? readTodos(event.arguments) : undefined;
  return todos === undefined ? screen : { ...screen, todos };
}

const BLANK = { server: '', arguments: {}, state: 'announced' } as const;

function withNewCall(screen: Screen, call: CallView & { readonly kind?: string }): Screen {
  const { kind: _, ...view } = call;
  return withItems(withActivity(withTextsClosed(screen), 'calling'), { kind: 'call', call: view });
}

function withActivity(screen: Screen, what: Turn['doing']): Screen {
  const { turn } = screen;
  return turn === undefined || turn.doing === what
    ? screen
    : { ...screen, turn: { ...turn, doing: what } };
}

function withUsage(screen: Screen, event: Extract<AgentEvent, { readonly kind: 'usage' }>): Screen {
  const { usage, cost } = event;
  const spent = cost === undefined ? screen.cost : (screen.cost ?? 0) + cost;
  // How full the context is. A sub-agent has a context of its own.
  const tokens = isDelegated(screen, event.agent)
    ? screen.tokens
    : usage.inputTokens + usage.outputTokens;
  return { ...screen, cost: spent, tokens };
}
