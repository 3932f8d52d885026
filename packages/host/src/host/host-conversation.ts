// The calls of one conversation, followed by what they bring into it. All agents that work on the same conversation share
// one of these.

import type { ToolReference } from '../catalog/index.ts';
import type { JsonObject } from '@plugboard/base';
import { toText } from '../output/index.ts';
import type { FlowSnapshot, FlowSource, Label } from '../policy/index.ts';
import type { CallOutcome } from './call-outcome.ts';
import { ConversationReading } from './conversation-reading.ts';
import type { CallSettings } from './host-surface.ts';

/** Something that was read into the conversation, and not by a call. */
export interface ReadText {
  /** Where it is from: a server, or `you` for what the person attached. */
  readonly server: string;
  /** What it is, in a word or two. */
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
  readonly #reading: ConversationReading;
  readonly #call: CallIn;

  constructor(call: CallIn, snapshot?: FlowSnapshot) {
    this.#call = call;
    this.#reading = new ConversationReading(snapshot);
  }

  /** Calls a tool, as `host.call` does, as a part of this conversation. */
  async call(
    reference: ToolReference,
    given: JsonObject,
    settings: CallSettings = {},
  ): Promise<CallOutcome> {
    const conversation = this.#reading;
    const outcome = await this.#call(reference, given, { ...settings, conversation });
    const text = outcomeText(outcome);
    if (text !== undefined && 'server' in outcome) {
      conversation.take(outcome, text, settings.callId);
    }
    return outcome;
  }

  /** What the person wrote. Text of theirs in an argument is not marked as taken from elsewhere. */
  typed(text: string): void {
    this.#reading.flow.typed(text);
  }

  /** Something that was read into the conversation otherwise: an attachment, a resource, instructions. */
  read({ server, what, text, labels = READ }: ReadText): void {
    this.#reading.flow.add({ server, tool: what, labels: new Set(labels), text });
  }

  /** What was read so far that is private or foreign. */
  get sources(): readonly FlowSource[] {
    return this.#reading.flow.sources;
  }

  /** For going on with it in another process: `host.conversation(snapshot)`. */
  get snapshot(): FlowSnapshot {
    return this.#reading.flow.snapshot;
  }
}

/** What the server said; `undefined` if it said nothing. */
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
