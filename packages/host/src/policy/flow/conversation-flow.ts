// Records what was read into one conversation: the server, the labels and the text. Decides whether a call would complete
// the path from private data and foreign text to the outside (the lethal trifecta), unless the user has approved its tool
// for the conversation, and which pieces of its arguments occur word for word in the texts. No I/O; bounded in memory.

import type { JsonObject } from '@plugboard/base';
import { type Label, LABELS } from './known-servers.ts';
import { commonPieces, spellingsOf, textsIn } from './taken-text.ts';
import type { CallReach, Labels } from './tool-labels.ts';

/** A text that was read into the conversation. */
export interface FlowSource {
  /** Its number within the conversation. */
  readonly number: number;
  readonly server: string;
  /** The tool, or the kind of another source: an attachment, instructions, a sub-agent. */
  readonly tool: string;
  readonly labels: readonly Label[];
  /** The caller's id of the call, if there was one. */
  readonly callId?: string;
  /** The beginning of the text, on one line. */
  readonly excerpt: string;
}

/** A piece of an argument that occurs word for word in a source. */
export interface TakenText {
  /** A JSON pointer into the arguments. */
  readonly path: string;
  readonly text: string;
  readonly from: FlowSource;
}

export interface FlowConcern {
  /** `out`: the tool sends out. `carries-private`: its arguments hold private text of another server. */
  readonly why: 'out' | 'carries-private';
  /** The sources of private data and of foreign text; the same source if it is both. */
  readonly private: FlowSource;
  readonly foreign: FlowSource;
  /** The pieces of the arguments that were taken from sources. */
  readonly taken: readonly TakenText[];
}

interface NamedTool {
  readonly server: string;
  readonly tool: string;
}

interface FlowCall extends NamedTool {
  readonly labels: Labels;
  readonly reach: CallReach;
  readonly arguments: JsonObject;
}

/** The state for resuming a conversation in another process. */
export interface FlowSnapshot {
  readonly sources: readonly KeptSource[];
}

interface FlowReading extends NamedTool {
  readonly labels: Labels;
  readonly text: string;
  readonly callId?: string;
}

interface KeptSource extends FlowSource {
  readonly text: string;
}

const MAX_SOURCES = 1000;
const MAX_SOURCE_TEXT = 128 * 1024;
const MAX_TEXT = 2 * 1024 * 1024;
const MAX_TYPED = 256 * 1024;
const EXCERPT = 80;

/** From this length on, private text in a read-only call is more than a search term. */
const MIN_CARRIED = 24;

/** The labels of what a tool brings in whose own are unknown. */
const UNKNOWN: Labels = new Set(['private', 'foreign']);
/** A server can rename its tools endlessly. */
const MAX_TOOLS = 10_000;

export class ConversationFlow {
  #sources: readonly KeptSource[] = [];
  #typed = '';
  #last = 0;
  /** The labels of the called tools. */
  readonly #labels = new Map<string, Labels>();
  readonly #approved = new Set<string>();

  static from({ sources }: FlowSnapshot): ConversationFlow {
    const flow = new ConversationFlow();
    for (const source of sources) flow.add({ ...source, labels: new Set(source.labels) });
    return flow;
  }

  get sources(): readonly FlowSource[] {
    return this.#sources.map(withoutText);
  }

  get snapshot(): FlowSnapshot {
    return { sources: this.#sources };
  }

  /** Records a text, unless it has no label of data. */
  add({ server, tool, labels, text, callId }: FlowReading): void {
    const kept = LABELS.filter((label) => label !== 'out' && labels.has(label));
    if (kept.length === 0) return;
    this.#last += 1;
    const source = {
      number: this.#last,
      server,
      tool,
      labels: kept,
      ...(callId === undefined ? {} : { callId }),
      excerpt: excerptOf(text),
      text: text.slice(0, MAX_SOURCE_TEXT),
    };
    this.#sources = bounded([...this.#sources, source]);
  }

  /** Records what a call brought into the conversation. */
  take(tool: NamedTool, text: string, callId: string | undefined): void {
    const labels = this.#labels.get(toolKey(tool)) ?? UNKNOWN;
    const { server, tool: name } = tool;
    this.add({ server, tool: name, labels, text, ...(callId === undefined ? {} : { callId }) });
  }

  /** Approves the calls of a tool for the rest of the conversation. */
  approve(tool: NamedTool): void {
    this.#approved.add(toolKey(tool));
  }

  /** Records what the user wrote: such text in an argument is not taken from a source. */
  typed(text: string): void {
    this.#typed = `${this.#typed}\n${text}`.slice(-MAX_TYPED);
  }

  /**
   * Why a call needs the user's approval, whatever rules allow; `undefined` if it does not. Its labels also apply to what it
   * brings in.
   */
  concern(call: FlowCall): FlowConcern | undefined {
    if (this.#labels.size >= MAX_TOOLS) this.#labels.clear();
    this.#labels.set(toolKey(call), call.labels);
    if (this.#approved.has(toolKey(call))) return undefined;
    const lastPrivate = this.#lastWith('private');
    const lastForeign = this.#lastWith('foreign');
    if (lastPrivate === undefined || lastForeign === undefined) return undefined;
    const sendsOut = call.reach === 'out';
    if (call.reach === 'here') return undefined;
    if (!sendsOut && !hasMuchText(call.arguments)) return undefined;
    if (this.#isTyped(call.arguments)) return undefined;
    const taken = this.taken(call.arguments);
    const isCarried = ({ from, text }: TakenText): boolean =>
      from.labels.includes('private') &&
      (sendsOut || (from.server !== call.server && text.length >= MIN_CARRIED));
    const [carried] = taken.filter(isCarried).toSorted((a, b) => b.text.length - a.text.length);
    if (!sendsOut && carried === undefined) return undefined;
    const own = carried?.from ?? withoutText(lastPrivate);
    const isOther = ({ from }: TakenText): boolean =>
      from.labels.includes('foreign') && from.number !== own.number;
    const foreign =
      taken.find(isOther)?.from ?? this.#foreignBeside(own) ?? withoutText(lastForeign);
    return {
      why: sendsOut ? 'out' : 'carries-private',
      private: own,
      foreign,
      taken,
    };
  }

  /** The pieces of the arguments that occur word for word in sources, and not in the user's own text. */
  taken(given: JsonObject): readonly TakenText[] {
    if (this.#sources.length === 0) return [];
    const found: TakenText[] = [];
    for (const { path, text } of textsIn(given)) {
      for (const spelling of spellingsOf(text)) {
        found.push(...this.#takenFrom(spelling).map((one) => ({ path, ...one })));
      }
      if (found.length >= MAX_TAKEN) break;
    }
    return found.slice(0, MAX_TAKEN);
  }

  #takenFrom(text: string): readonly Omit<TakenText, 'path'>[] {
    const found: Omit<TakenText, 'path'>[] = [];
    // Newest first: a model most likely repeats what it read last.
    for (const source of this.#sources.toReversed()) {
      for (const piece of commonPieces(text, source.text)) {
        if (this.#typed.includes(piece)) continue;
        found.push({ text: piece, from: withoutText(source) });
      }
      if (found.length >= MAX_TAKEN) break;
    }
    return found;
  }

  /** Whether the user wrote all texts in the arguments: an address to open, a message to send. */
  #isTyped(given: JsonObject): boolean {
    const texts = textsIn(given).filter(({ text }) => text !== '');
    return texts.length > 0 && texts.every(({ text }) => this.#typed.includes(text));
  }

  #foreignBeside(own: FlowSource): FlowSource | undefined {
    const found = this.#sources.findLast(
      ({ labels, number }) => labels.includes('foreign') && number !== own.number,
    );
    return found && withoutText(found);
  }

  #lastWith(label: Label): KeptSource | undefined {
    return this.#sources.findLast(({ labels }) => labels.includes(label));
  }
}

const MAX_TAKEN = 20;

function toolKey({ server, tool }: NamedTool): string {
  return JSON.stringify([server, tool]);
}

function withoutText({ text: _, ...source }: KeptSource): FlowSource {
  return source;
}

function excerptOf(text: string): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  return line.length <= EXCERPT ? line : `${line.slice(0, EXCERPT - 1)}…`;
}

/** Drops the oldest texts first, but keeps their labels, so that dropping a text never removes a concern. */
function bounded(sources: readonly KeptSource[]): readonly KeptSource[] {
  const kept = sources.length <= MAX_SOURCES ? sources : condensed(sources);
  let room = MAX_TEXT;
  return kept
    .toReversed()
    .map((source) => {
      room -= source.text.length;
      return room >= 0 || source.text === '' ? source : { ...source, text: '' };
    })
    .toReversed();
}

/** Of the oldest sources, keeps only one for each server and set of labels. */
function condensed(sources: readonly KeptSource[]): readonly KeptSource[] {
  const half = Math.floor(MAX_SOURCES / 2);
  const old = new Map(
    sources
      .slice(0, -half)
      .map((source) => [JSON.stringify([source.server, source.labels]), source] as const),
  );
  return [...[...old.values()].slice(-half), ...sources.slice(-half)];
}

function hasMuchText(given: JsonObject): boolean {
  return textsIn(given).some(({ text }) => text.length >= MIN_CARRIED);
}
