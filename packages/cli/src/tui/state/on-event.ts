// What an event of the chat changes on the screen. Pure and total: in whatever order events arrive, nothing is lost and
// nothing is shown twice.

import { todosOf } from '@plugboard/agent';
import type { AskedApproval, ChatEvent, ShownConversation } from '../../chat/index.ts';
import { cleared, editorWith } from '../input/index.ts';
import { earlierItems } from './earlier-items.ts';
import { onAgentEvent } from './on-agent-event.ts';
import { callChanged, pushed } from './live.ts';
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
      const asked: OpenQuestion = { kind: 'approval', id, approval, selected: 0, reading: UNREAD };
      const shown = withChange({ ...screen, asked: [...screen.asked, asked] }, approval);
      return waiting(shown, callId, { state: 'waiting', now });
    }
    case 'notes': {
      const { notes } = event;
      // After findings, Enter alone must not approve.
      const selected = notes.warnings.length === 0 ? 0 : 1;
      const asked: OpenQuestion = { kind: 'notes', id: notes.id, notes, selected, reading: UNREAD };
      return { ...screen, asked: [...screen.asked, asked] };
    }
    case 'question':
      return withQuestion(screen, event, now);
    case 'notes-closed':
    case 'approval-closed':
    case 'question-closed':
      return withoutAsked(screen, event.id, now);
    case 'servers':
      return { ...screen, servers: event.servers };
    case 'notice':
      return pushed(screen, { kind: 'notice', notice: event.notice });
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
      return replaced(screen, event.conversation);
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
  const asked: OpenQuestion = { kind: 'question', id, request, answering };
  const shown = { ...screen, asked: [...screen.asked, asked] };
  return callsOf(shown, server, { state: 'waiting', now });
}

/** Keeps the preview of the approval with the call. */
function withChange(screen: Screen, { callId, preview }: AskedApproval): Screen {
  if (callId === undefined || preview === undefined) return screen;
  return callChanged(screen, callId, (call) => ({ ...call, change: preview }));
}

interface Waiting {
  readonly state: 'waiting' | 'running';
  readonly now: number;
}

/** Removes a question that was answered or is no longer needed. Its call continues. */
export function withoutAsked(screen: Screen, id: string, now: number): Screen {
  const gone = screen.asked.find((one) => one.id === id);
  if (gone === undefined) return screen;
  const left = { ...screen, asked: screen.asked.filter((one) => one !== gone) };
  if (gone.kind === 'notes') return left;
  return gone.kind === 'approval'
    ? waiting(left, gone.approval.callId, { state: 'running', now })
    : callsOf(left, gone.request.server, { state: 'running', now });
}

/** All calls of a server except those that wait for approval. */
function callsOf(screen: Screen, server: string, to: Waiting): Screen {
  const unallowed = screen.asked.map((one) =>
    one.kind === 'approval' ? one.approval.callId : undefined,
  );
  return screen.live
    .flatMap((item) => (item.kind === 'call' && item.call.server === server ? [item.call.id] : []))
    .filter((id) => !unallowed.includes(id))
    .reduce((changed, id) => waiting(changed, id, to), screen);
}

function waiting(screen: Screen, callId: string | undefined, { state, now }: Waiting): Screen {
  if (callId === undefined) return screen;
  const from = state === 'waiting' ? ['announced', 'running'] : ['waiting'];
  return callChanged(screen, callId, (call) => {
    if (!from.includes(call.state)) return call;
    if (state === 'waiting') return { ...call, state, waitingSince: now };
    const { waitingSince = now, waitedMs = 0 } = call;
    return { ...call, state, waitingSince: undefined, waitedMs: waitedMs + now - waitingSince };
  });
}

function replaced(screen: Screen, conversation: ShownConversation): Screen {
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
      : { composer: { ...cleared(screen.composer), editor: editorWith(draft) } }),
  };
}
