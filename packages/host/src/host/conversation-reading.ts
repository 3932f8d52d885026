// What one conversation has read, and whether its next call needs approval because of that. A call that would send
// private data out while the conversation contains foreign text needs the user's approval, whatever rules allow, unless
// the user has approved the tool for the conversation.

import type { JsonObject } from '@plugboard/base';
import {
  type CallReach,
  ConversationFlow,
  type FlowConcern,
  type FlowSnapshot,
  type Label,
  type TakenText,
  type ToolLabels,
} from '../policy/index.ts';

interface NamedTool {
  readonly server: string;
  readonly tool: string;
}

/** How a call handles data. */
export interface CallDataUse {
  readonly labels: ToolLabels;
  readonly reach: CallReach;
  readonly arguments: JsonObject;
}

const READ: ReadonlySet<Label> = new Set(['private', 'foreign']);
/** A server can rename its tools endlessly. */
const MAX_TOOLS = 10_000;

export class ConversationReading {
  readonly flow: ConversationFlow;
  readonly #labels = new Map<string, ToolLabels>();
  readonly #approved = new Set<string>();

  constructor(snapshot?: FlowSnapshot) {
    this.flow = snapshot === undefined ? new ConversationFlow() : ConversationFlow.from(snapshot);
  }

  /** Why a call needs the user's approval; `undefined` if it does not. */
  concernAbout(tool: NamedTool, call: CallDataUse): FlowConcern | undefined {
    if (this.#labels.size >= MAX_TOOLS) this.#labels.clear();
    this.#labels.set(toolKey(tool), call.labels);
    if (this.#approved.has(toolKey(tool))) return undefined;
    const { reach, arguments: given } = call;
    return this.flow.concern({ server: tool.server, arguments: given, reach });
  }

  takenIn(given: JsonObject): readonly TakenText[] {
    return this.flow.taken(given);
  }

  /** Approves a tool for the rest of the conversation. */
  approve(tool: NamedTool): void {
    this.#approved.add(toolKey(tool));
  }

  /** Records what a call brought into the conversation. */
  take({ server, tool }: NamedTool, text: string, callId: string | undefined): void {
    const labels = this.#labels.get(toolKey({ server, tool }))?.labels ?? READ;
    this.flow.add({ server, tool, labels, text, ...(callId === undefined ? {} : { callId }) });
  }
}

function toolKey({ server, tool }: NamedTool): string {
  return JSON.stringify([server, tool]);
}
