// Makes the calls of one conversation, and tracks what they bring into it. All agents of a conversation share one
// instance.

import type { ToolReference } from '../catalog/index.ts';
import type { JsonObject } from '@plugboard/base';
import { toText } from '../output/index.ts';
import {
  ConversationFlow,
  type FlowSnapshot,
  type FlowSource,
  type Label,
} from '../policy/index.ts';
import type { CallOutcome } from './call-outcome.ts';
import type { CallSettings } from './host-surface.ts';

/** A text that was read into the conversation other than by a call. */
export interface ReadText {
  /** Its origin: a server, or `you` for what the user attached. */
  readonly server: string;
  /** Its kind, in a word or two. */
  readonly what: string;
  readonly text: string;
  /** Private and foreign, by default. */
  readonly labels?: readonly Label[];
}

type CallIn = (
  reference: ToolReference,
  given: JsonObject,
  settings: CallSettings,
) => Promise<CallOutcome>;

const READ: readonly Label[] = ['private', 'foreign'];

export class HostConversation {
  readonly #flow: ConversationFlow;
  readonly #call: CallIn;

  constructor(call: CallIn, snapshot?: FlowSnapshot) {
    this.#call = call;
    this.#flow = snapshot === undefined ? new ConversationFlow() : ConversationFlow.from(snapshot);
  }

  /** Calls a tool, as `host.call` does, as a part of this conversation. */
  async call(
    reference: ToolReference,
    given: JsonObject,
    settings: CallSettings = {},
  ): Promise<CallOutcome> {
    const conversation = this.#flow;
    const outcome = await this.#call(reference, given, { ...settings, conversation });
    const text = outcomeText(outcome);
    if (text !== undefined && 'server' in outcome) {
      conversation.take(outcome, text, settings.callId);
    }
    return outcome;
  }

  /** Records what the user wrote: such text in an argument is not reported as taken from a source. */
  typed(text: string): void {
    this.#flow.typed(text);
  }

  /** Records an attachment, a resource or instructions. */
  read({ server, what, text, labels = READ }: ReadText): void {
    this.#flow.add({ server, tool: what, labels: new Set(labels), text });
  }

  /** The private and foreign texts that were read so far. */
  get sources(): readonly FlowSource[] {
    return this.#flow.sources;
  }

  /** For resuming the conversation in another process: `host.conversation(snapshot)`. */
  get snapshot(): FlowSnapshot {
    return this.#flow.snapshot;
  }
}

/** The server's own text in an outcome, if there is any. */
function outcomeText(outcome: CallOutcome): string | undefined {
  switch (outcome.kind) {
    case 'result':
    case 'tool-error':
      return toText(outcome.parts);
    case 'protocol-error':
      return JSON.stringify(outcome.failure);
    default:
      return undefined;
  }
}
