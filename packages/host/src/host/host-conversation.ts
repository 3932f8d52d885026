// The calls of one conversation, followed by what they bring into it. Each result adds the labels of its tool; a call that
// would carry private data out while foreign text is in the conversation is asked about or denied, whatever rules allow.
// All agents that work on the same conversation share one of these.

import type { JsonObject } from '@plugboard/base';
import { toText } from '../output/index.ts';
import {
  ConversationFlow,
  type FlowConcern,
  type FlowSnapshot,
  type FlowSource,
  type Label,
  type TakenText,
  type ToolLabels,
} from '../policy/index.ts';
import type { ToolReference } from './call.ts';
import type { CallOutcome } from './call-outcome.ts';
import type { CallSettings } from './host-surface.ts';

interface NamedTool {
  readonly server: string;
  readonly tool: string;
}

/** Something that was read into the conversation, and not by a call. */
export interface ReadText {
  /** Where it is from: a server, or `you` for what the person attached. */
  readonly server: string;
  /** What it is, in a word or two. */
  readonly what: string;
  readonly text: string;
  /** Private and foreign, unless given. */
  readonly labels?: readonly Label[];
}

type CallIn = (
  reference: ToolReference,
  given: JsonObject,
  settings: CallSettings,
) => Promise<CallOutcome>;

const READ: readonly Label[] = ['private', 'foreign'];
/** A server can change the names of its tools without end. */
const MAX_TOOLS = 10_000;

export class HostConversation {
  readonly #flow: ConversationFlow;
  readonly #call: CallIn;
  readonly #labels = new Map<string, ToolLabels>();
  readonly #approved = new Set<string>();

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
    const outcome = await this.#call(reference, given, { ...settings, conversation: this });
    this.#take(outcome, settings.callId);
    return outcome;
  }

  /** What the person wrote. Text of theirs in an argument is not marked as taken from elsewhere. */
  typed(text: string): void {
    this.#flow.typed(text);
  }

  /** Something that was read into the conversation otherwise: an attachment, a resource, instructions. */
  read({ server, what, text, labels = READ }: ReadText): void {
    this.#flow.add({ server, tool: what, labels: new Set(labels), text });
  }

  /** What was read so far that is private or foreign. */
  get sources(): readonly FlowSource[] {
    return this.#flow.sources;
  }

  /** For going on with it in another process: `host.conversation(snapshot)`. */
  get snapshot(): FlowSnapshot {
    return this.#flow.snapshot;
  }

  /** Which pieces of a text were taken word for word from what was read. */
  takenIn(given: JsonObject): readonly TakenText[] {
    return this.#flow.taken(given);
  }

  /** Why a call needs a person's word; nothing where it does not, or where they gave it for this tool. */
  concernAbout(
    tool: NamedTool,
    { labels, sendsOut, given }: { labels: ToolLabels; sendsOut: boolean; given: JsonObject },
  ): FlowConcern | undefined {
    if (this.#labels.size >= MAX_TOOLS) this.#labels.clear();
    this.#labels.set(keyOf(tool), labels);
    if (this.#approved.has(keyOf(tool))) return undefined;
    const { server } = tool;
    return this.#flow.concern({ server, arguments: given, labels: labels.labels, sendsOut });
  }

  /** The person allows this tool for the rest of the conversation. */
  approve(tool: NamedTool): void {
    this.#approved.add(keyOf(tool));
  }

  #take(outcome: CallOutcome, callId: string | undefined): void {
    const text = textOf(outcome);
    if (text === undefined || !('server' in outcome)) return;
    const { server, tool } = outcome;
    const labels = this.#labels.get(keyOf(outcome))?.labels ?? new Set(READ);
    const id = callId === undefined ? {} : { callId };
    this.#flow.add({ server, tool, labels, text, ...id });
  }
}

function keyOf({ server, tool }: NamedTool): string {
  return JSON.stringify([server, tool]);
}

/** What the server said; nothing where it said nothing. */
function textOf(outcome: CallOutcome): string | undefined {
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
