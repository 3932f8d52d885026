// What the first screen of a chat and its agent, which is opened later, share: the events, the mode, and what waits for an
// answer of the user.

import type { Emitter } from '@plugboard/base';
import type { AgentMode } from '@plugboard/agent';
import type { HostEnvironment } from '@plugboard/host/configuration';
import { Approvals } from './approvals.ts';
import type { ChatEvent } from './chat.ts';
import { ModeSwitch } from './mode-switch.ts';
import { NotesQuestions } from './notes-questions.ts';
import { Questions } from './questions.ts';

export type ChatDesk = ReturnType<typeof openDesk>;

export function openDesk(events: Emitter<ChatEvent>, mode: AgentMode, from: HostEnvironment) {
  const emit = (event: ChatEvent): void => events.emit(event);
  /** The rules that the command of this turn grants. */
  const granted: { rules: readonly string[] } = { rules: [] };
  return {
    events,
    emit,
    granted,
    modes: new ModeSwitch(mode, emit),
    approvals: new Approvals(emit, from),
    questions: new Questions(emit),
    notes: new NotesQuestions(emit),
  } as const;
}
