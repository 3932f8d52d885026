// What an event of the conversation changes on the screen. Pure, and total: whatever order events come in, nothing is
// lost and nothing is shown twice.

import type { ChatEvent } from '../../chat/index.ts';
import { onAgentEvent } from './on-agent-event.ts';
import { callChanged, pushed } from './live.ts';
import { newForm } from './form.ts';
import { UNREAD } from './reading.ts';
import type { AnswerState, OpenQuestion, Screen } from './screen.ts';

export function onEvent(screen: Screen, event: ChatEvent, now: number): Screen {
  switch (event.kind) {
    case 'agent':
      return onAgentEvent(screen, event.event, now);
    case 'approval': {
      const { approval } = event;
      const { id, callId } = approval;
      const asked: OpenQuestion = { kind: 'approval', id, approval, selected: 0, reading: UNREAD };
      return waiting({ ...screen, asked: [...screen.asked, asked] }, callId, 'waiting');
    }
    case 'notes': {
      const { notes } = event;
      // What was found in them speaks against a yes by Enter alone.
      const selected = notes.warnings.length === 0 ? 0 : 1;
      const asked: OpenQuestion = { kind: 'notes', id: notes.id, notes, selected, reading: UNREAD };
      return { ...screen, asked: [...screen.asked, asked] };
    }
    case 'question':
      return withQuestion(screen, event);
    case 'notes-closed':
    case 'approval-closed':
    case 'question-closed':
      return withoutAsked(screen, event.id);
    case 'servers':
      return { ...screen, servers: event.servers };
    case 'notice':
      return pushed(screen, { kind: 'notice', notice: event.notice });
    case 'waiting':
      return { ...screen, waiting: event.messages };
    case 'model':
      return { ...screen, model: event.name };
    case 'cleared':
      return emptied(screen);
    default:
      return event satisfies never;
  }
}

/**
 * Whether it can wait for the next picture. In a turn many things happen within a moment, and each picture would hold up
 * the turn itself; what a person is asked, and the end, is drawn at once.
 */
export function canWait(event: ChatEvent): boolean {
  if (event.kind === 'servers') return true;
  return event.kind === 'agent' && event.event.kind !== 'turn-ended';
}

/** A server asks while it is called: what it was called for waits for the person. */
function withQuestion(
  screen: Screen,
  { id, request }: Extract<ChatEvent, { readonly kind: 'question' }>,
): Screen {
  const { question, server } = request;
  const answering: AnswerState =
    question.kind === 'form'
      ? { kind: 'form', form: question, state: newForm(question) }
      : // Enter alone does not open an address that there is a warning about.
        { kind: 'page', page: question, selected: question.warnings.length === 0 ? 0 : 1 };
  const asked: OpenQuestion = { kind: 'question', id, request, answering };
  return callsOf({ ...screen, asked: [...screen.asked, asked] }, server, 'waiting');
}

/** It was answered, or the answer is no longer needed: its call continues. */
export function withoutAsked(screen: Screen, id: string): Screen {
  const gone = screen.asked.find((one) => one.id === id);
  if (gone === undefined) return screen;
  const left = { ...screen, asked: screen.asked.filter((one) => one !== gone) };
  if (gone.kind === 'notes') return left;
  return gone.kind === 'approval'
    ? waiting(left, gone.approval.callId, 'running')
    : callsOf(left, gone.request.server, 'running');
}

/** All calls of a server but those that the person has yet to allow. */
function callsOf(screen: Screen, server: string, state: 'waiting' | 'running'): Screen {
  const unallowed = screen.asked.map((one) =>
    one.kind === 'approval' ? one.approval.callId : undefined,
  );
  return screen.live
    .flatMap((item) => (item.kind === 'call' && item.call.server === server ? [item.call.id] : []))
    .filter((id) => !unallowed.includes(id))
    .reduce((changed, id) => waiting(changed, id, state), screen);
}

function waiting(screen: Screen, callId: string | undefined, state: 'waiting' | 'running'): Screen {
  if (callId === undefined) return screen;
  const from = state === 'waiting' ? ['announced', 'running'] : ['waiting'];
  return callChanged(screen, callId, (call) =>
    from.includes(call.state) ? { ...call, state } : call,
  );
}

function emptied(screen: Screen): Screen {
  const { turn: _, ...kept } = screen;
  const { nextId } = screen;
  return {
    ...kept,
    finished: [{ id: nextId, kind: 'opening' }],
    live: [],
    nextId: nextId + 1,
    epoch: screen.epoch + 1,
    tokens: 0,
  };
}
