// The mode of a conversation. Emits an event when it changes.

import { AGENT_MODES, type AgentMode } from '@plugboard/agent';
import type { ChatEvent } from './chat.ts';

export class ModeSwitch {
  readonly #emit: (event: ChatEvent) => void;
  #mode: AgentMode;

  constructor(mode: AgentMode, emit: (event: ChatEvent) => void) {
    this.#mode = mode;
    this.#emit = emit;
  }

  get mode(): AgentMode {
    return this.#mode;
  }

  set(mode: AgentMode): void {
    this.#mode = mode;
    this.#emit({ kind: 'mode', mode });
  }

  turn(): void {
    const next = AGENT_MODES[(AGENT_MODES.indexOf(this.#mode) + 1) % AGENT_MODES.length];
    if (next !== undefined) this.set(next);
  }
}
