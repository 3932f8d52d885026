// What an event of the chat changes on the screen. Pure and total: in whatever order events arrive, nothing is lost and
// nothing is shown twice.

import { todosOf } from '@plugboard/agent';
import type { PendingApproval, ChatEvent, ShownConversation } from '../../chat/index.ts';
import { clear, editorWith } from '../input/index.ts';
import { earlierItems } from './earlier-items.ts';
import { onAgentEvent } from './on-agent-event.ts';
import { withCallChanged, withItems } from './live.ts';
import { newForm } from './form.ts';
import { UNREAD } from './reading.ts';
import type { AnswerDraft, OpenQuestion, Screen } from './screen.ts';

export function onEvent(screen: Screen, event: ChatEvent, now: number): Screen {
  switch (event.kind) {
    case 'agent':
      return onAgentEvent(screen, event.event, now);
    case 'approval': {
      const { approval } = event;
      const { id, callId } = approval;
      const asked = ask(screen, { kind: 'approval', id, approval, selected: 0, reading: UNREAD });
      return withCallState(withChange(asked, approval), callId, { state: 'waiting', now });
    }
    case 'notes': {
      const { notes } = event;
      // After findings, Enter alone must not approve.
      const selected = notes.warnings.length === 0 ? 0 : 1;
      return ask(screen, { kind: 'notes', id: notes.id, notes, selected, reading: UNREAD });
    }
    case 'question':
      return withQuestion(screen, event, now);
    case 'closed':
      return withoutQuestion(screen, event.id, now);
    case 'servers':
      return { ...screen, servers: event.servers };
    case 'notice':
      return withItems(screen, { kind: 'notice', notice: event.notice });
    case 'waiting':
      return { ...screen, waiting: event.messages };
    case 'mode':
      return { ...screen, mode: event.mode };
    case 'jobs':
      return { ...screen, jobs: event.running };
    case 'model':
      return { ...screen, model: event.name };
    case 'command-progress': {
      const last = screen.commands.at(-1);
      if (last === undefined) return screen;
      const told = { ...last, progress: event.text };
      return { ...screen, commands: [...screen.commands.slice(0, -1), told] };
    }
    case 'conversation':
      return withConversation(screen, event.conversation);
    default:
      return event satisfies never;
  }
}

/**
 * Whether the event can wait for the next frame. A turn has many events within a moment, and drawing each would slow it
 * down. Questions and the end of the turn are drawn at once.
 */
export function canWait(event: ChatEvent): boolean {
  if (event.kind === 'servers' || event.kind === 'command-progress') return true;
  return event.kind === 'agent' && event.event.kind !== 'turn-ended';
}

/** A server asks during a call, so its calls now wait for the user. */
function withQuestion(
  screen: Screen,
  { id, request }: Extract<ChatEvent, { readonly kind: 'question' }>,
  now: number,
): Screen {
  const { question, server } = request;
  const answering: AnswerDraft =
    question.kind === 'form'
      ? { kind: 'form', form: question, state: newForm(question) }
      : // After warnings, Enter alone must not open the address.
        { kind: 'page', page: question, selected: question.warnings.length === 0 ? 0 : 1 };
  const asked = ask(screen, { kind: 'question', id, request, answering });
  return withCallStates(asked, server, { state: 'waiting', now });
}

function ask(screen: Screen, question: OpenQuestion): Screen {
  return { ...screen, questions: [...screen.questions, question] };
}

/** Keeps the preview of the approval with the call. */
function withChange(screen: Screen, { callId, preview }: PendingApproval): Screen {
  if (callId === undefined || preview === undefined) return screen;
  return withCallChanged(screen, callId, (call) => ({ ...call, change: preview }));
}

interface NewCallState {
  readonly state: 'waiting' | 'running';
  readonly now: number;
}

/** Removes a question that was answered or is no longer needed. Its call continues. */
export function withoutQuestion(screen: Screen, id: string, now: number): Screen {
  const closed = screen.questions.find((one) => one.id === id);
  if (closed === undefined) return screen;
  const left: Screen = { ...screen, questions: screen.questions.filter((one) => one !== closed) };
  if (closed.kind === 'notes') return left;
  return closed.kind === 'approval'
    ? withCallState(left, closed.approval.callId, { state: 'running', now })
    : withCallStates(left, closed.request.server, { state: 'running', now });
}

/** Sets the state of all calls of a server except those that wait for approval. */
function withCallStates(screen: Screen, server: string, to: NewCallState): Screen {
  const unapproved = screen.questions.map((one) =>
    one.kind === 'approval' ? one.approval.callId : undefined,
  );
  return screen.live
    .flatMap((item) => (item.kind === 'call' && item.call.server === server ? [item.call.id] : []))
    .filter((id) => !unapproved.includes(id))
    .reduce((changed, id) => withCallState(changed, id, to), screen);
}

function withCallState(
  screen: Screen,
  callId: string | undefined,
  { state, now }: NewCallState,
): Screen {
  if (callId === undefined) return screen;
  const from = state === 'waiting' ? ['announced', 'running'] : ['waiting'];
  return withCallChanged(screen, callId, (call) => {
    if (!from.includes(call.state)) return call;
    if (state === 'waiting') return { ...call, state, waitingSince: now };
    const { waitingSince = now, waitedMs = 0 } = call;
    return { ...call, state, waitingSince: undefined, waitedMs: waitedMs + now - waitingSince };
  });
}

function withConversation(screen: Screen, conversation: ShownConversation): Screen {
  const { turn: _, panel: __, ...kept } = screen;
  const { messages, resumedFrom, draft } = conversation;
  const { resumedFrom: ___, ...opening } = screen.opening;
  const { items, nextId } = earlierItems(messages);
  return {
    ...kept,
    opening: { ...opening, ...(resumedFrom === undefined ? {} : { resumedFrom }) },
    finished: items.map((item) => ({ ...item, id: item.id + screen.nextId })),
    live: [],
    nextId: screen.nextId + nextId,
    epoch: screen.epoch + 1,
    tokens: 0,
    todos: todosOf(messages),
    ...(draft === undefined
      ? {}
      : { composer: { ...clear(screen.composer), editor: editorWith(draft) } }),
  };
}
