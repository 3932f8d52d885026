// Turns the stream of a provider into events and, at the end, into one message. The stream is untrusted: sizes are
// bounded, and unreadable parts become an unreadable call or a broken answer. The caller decides about retries.

import type { LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { isObject, type JsonObject, parseJson } from '@plugboard/base';
import type {
  AssistantPart,
  FinishReason,
  ModelEvent,
  ToolCall,
  Usage,
} from '../conversation/index.ts';

export type StreamPart = LanguageModelV3StreamPart;

export interface AnswerLimits {
  /** The limit of all text, reasoning and arguments together, in UTF-16 units. */
  readonly maxLength: number;
  readonly maxCalls: number;
}

/** Several times the longest answer of any model. */
const ANSWER_LIMITS: AnswerLimits = { maxLength: 8 * 1024 * 1024, maxCalls: 256 };

const MAX_NAME = 256;
const ARGUMENT_LIMITS = { maxLength: 4 * 1024 * 1024, maxDepth: 100 };

/** The result of one part of the stream. */
export type StreamStep =
  | { readonly kind: 'events'; readonly events: readonly ModelEvent[] }
  | { readonly kind: 'finished'; readonly reason: FinishReason; readonly usage: Usage }
  /** A failure that the provider reports, in its own format. */
  | { readonly kind: 'error'; readonly error: unknown }
  | { readonly kind: 'broken'; readonly message: string };

export interface AnswerSettings {
  /** The model's name: data that it adds to its parts is sent back only to this model. */
  readonly model: string;
  /** Converts arguments for the provider's schema into arguments for the tool. */
  readonly restore: (tool: string, given: JsonObject) => JsonObject;
  readonly limits?: AnswerLimits;
}

type OpenBlock =
  | { readonly kind: 'text'; text: string }
  | { readonly kind: 'reasoning'; text: string; metadata: JsonObject };

interface Growth {
  readonly delta: string;
  readonly providerMetadata?: unknown;
}

const NOTHING: StreamStep = { kind: 'events', events: [] };

export class AnswerReader {
  readonly #settings: AnswerSettings;
  readonly #limits: AnswerLimits;
  /** In the order of their beginnings; a call in the order of its end. */
  readonly #parts: (OpenBlock | ToolCall)[] = [];
  readonly #open = new Map<string, OpenBlock>();
  /** Maps the id on the wire to the unique id, for calls that were announced and are incomplete. */
  readonly #announced = new Map<string, string>();
  readonly #ids = new Set<string>();
  #length = 0;

  constructor(settings: AnswerSettings) {
    this.#settings = settings;
    this.#limits = settings.limits ?? ANSWER_LIMITS;
  }

  /** Whether output was emitted, so that the request cannot be retried. */
  get hasSpoken(): boolean {
    return this.#length > 0 || this.#ids.size > 0;
  }

  read(part: StreamPart): StreamStep {
    switch (part.type) {
      case 'text-start':
        return this.#start(`t${part.id}`, { kind: 'text', text: '' });
      case 'text-delta':
        return this.#grow(`t${part.id}`, 'text', part);
      case 'reasoning-start':
        return this.#start(`r${part.id}`, {
          kind: 'reasoning',
          text: '',
          metadata: jsonOf(part.providerMetadata),
        });
      case 'reasoning-delta':
        return this.#grow(`r${part.id}`, 'reasoning', part);
      case 'reasoning-end':
        return this.#grow(`r${part.id}`, 'reasoning', { ...part, delta: '' });
      case 'tool-input-start':
        return this.#announce(part.id, part.toolName);
      case 'tool-input-delta':
        return this.#count(part.delta.length) ?? NOTHING;
      case 'tool-call':
        return this.#call(part);
      case 'finish':
        return finishOf(part);
      case 'error':
        return { kind: 'error', error: part.error };
      default:
        // Sources, files and notes on the response are not used.
        return NOTHING;
    }
  }

  /** All parts so far. Reasoning without text is included if the provider requires it back. */
  parts(): AssistantPart[] {
    return this.#parts.flatMap((part): AssistantPart[] => {
      if (part.kind === 'call') return [part];
      if (part.kind === 'text') return part.text === '' ? [] : [{ kind: 'text', text: part.text }];
      const provider = keptOf(part.metadata, this.#settings.model);
      if (part.text === '' && provider === undefined) return [];
      return [{ kind: 'reasoning', text: part.text, ...(provider && { provider }) }];
    });
  }

  #start(key: string, block: OpenBlock): StreamStep {
    this.#open.set(key, block);
    this.#parts.push(block);
    return NOTHING;
  }

  #grow(key: string, kind: OpenBlock['kind'], { delta, providerMetadata }: Growth): StreamStep {
    const block = this.#open.get(key) ?? this.#missing(key, kind);
    if (block.kind === 'reasoning')
      block.metadata = merged(block.metadata, jsonOf(providerMetadata));
    if (delta === '') return NOTHING;
    const tooMuch = this.#count(delta.length);
    if (tooMuch !== undefined) return tooMuch;
    block.text += delta;
    return { kind: 'events', events: [{ kind, text: delta }] };
  }

  /** Accepts a block without a start. */
  #missing(key: string, kind: OpenBlock['kind']): OpenBlock {
    const block: OpenBlock =
      kind === 'text' ? { kind, text: '' } : { kind, text: '', metadata: {} };
    this.#start(key, block);
    return block;
  }

  #announce(wireId: string, tool: string): StreamStep {
    if (!isName(tool)) return NAMELESS;
    if (this.#ids.size >= this.#limits.maxCalls) return this.#tooManyCalls();
    const id = this.#ownId(wireId);
    this.#announced.set(wireId, id);
    return { kind: 'events', events: [{ kind: 'call-announced', id, tool }] };
  }

  #call(part: Extract<StreamPart, { type: 'tool-call' }>): StreamStep {
    const tool = part.toolName;
    if (!isName(tool)) return NAMELESS;
    const events: ModelEvent[] = [];
    let id = this.#announced.get(part.toolCallId);
    this.#announced.delete(part.toolCallId);
    if (id === undefined) {
      if (this.#ids.size >= this.#limits.maxCalls) return this.#tooManyCalls();
      // Its arguments were not streamed, so they have not been counted yet.
      const tooMuch = this.#count(part.input.length);
      if (tooMuch !== undefined) return tooMuch;
      id = this.#ownId(part.toolCallId);
      events.push({ kind: 'call-announced', id, tool });
    }
    const provider = keptOf(jsonOf(part.providerMetadata), this.#settings.model);
    const given = argumentsOf(part.input);
    const call: ToolCall = {
      kind: 'call',
      id,
      tool,
      arguments: given.kind === 'read' ? this.#settings.restore(tool, given.value) : {},
      ...(given.kind === 'unreadable' && { unreadable: given.why }),
      ...(provider && { provider }),
    };
    this.#parts.push(call);
    return { kind: 'events', events: [...events, { kind: 'call', call }] };
  }

  /** Some servers send the same id for all calls, or none. */
  #ownId(wireId: string): string {
    const wanted = isName(wireId) ? wireId : 'call';
    let id = wanted;
    for (let number = 2; this.#ids.has(id); number += 1) id = `${wanted}-${number}`;
    this.#ids.add(id);
    return id;
  }

  #count(length: number): StreamStep | undefined {
    this.#length += length;
    if (this.#length <= this.#limits.maxLength) return undefined;
    return { kind: 'broken', message: `the answer is longer than ${this.#limits.maxLength}` };
  }

  #tooManyCalls(): StreamStep {
    return { kind: 'broken', message: `the answer has more than ${this.#limits.maxCalls} calls` };
  }
}

const NAMELESS: StreamStep = {
  kind: 'broken',
  message: 'the answer has a call without a usable name',
};

function isName(name: unknown): name is string {
  return typeof name === 'string' && name !== '' && name.length <= MAX_NAME;
}

type ParsedArguments =
  | { readonly kind: 'read'; readonly value: JsonObject }
  | { readonly kind: 'unreadable'; readonly why: string };

function argumentsOf(text: string): ParsedArguments {
  if (text.trim() === '') return { kind: 'read', value: {} };
  const parsed = parseJson(text, ARGUMENT_LIMITS);
  if (!parsed.ok) {
    const { error } = parsed;
    const why = error.kind === 'invalid' ? 'not valid JSON' : error.kind.replace('-', ' ');
    return { kind: 'unreadable', why };
  }
  // Some models send null for no arguments.
  if (parsed.value === null) return { kind: 'read', value: {} };
  if (!isObject(parsed.value)) return { kind: 'unreadable', why: 'not an object' };
  return { kind: 'read', value: parsed.value };
}

function finishOf({ finishReason, usage }: Extract<StreamPart, { type: 'finish' }>): StreamStep {
  const { unified, raw } = finishReason;
  if (unified === 'error')
    return { kind: 'broken', message: `the answer ended: ${raw ?? 'error'}` };
  // Some adapters report a normal end if only the bytes ended.
  if (unified === 'other' && raw === undefined) return { kind: 'broken', message: ENDED_EARLY };
  return {
    kind: 'finished',
    reason: REASONS[unified] ?? 'other',
    usage: {
      inputTokens: tokens(usage.inputTokens.total),
      outputTokens: tokens(usage.outputTokens.total),
      cacheReadTokens: tokens(usage.inputTokens.cacheRead),
      cacheWriteTokens: tokens(usage.inputTokens.cacheWrite),
    },
  };
}

export const ENDED_EARLY = 'the answer ended before it was whole';

const REASONS: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  'tool-calls': 'calls',
  length: 'length',
  'content-filter': 'filtered',
};

function tokens(count: unknown): number {
  return typeof count === 'number' && Number.isFinite(count) && count > 0 ? Math.round(count) : 0;
}

/** The key of the name of the model to which the data belongs. */
export const KEPT_FOR = 'model';

function keptOf(metadata: JsonObject, model: string): JsonObject | undefined {
  return Object.keys(metadata).length === 0 ? undefined : { ...metadata, [KEPT_FOR]: model };
}

/** The SDK verified that it is JSON; `undefined` fields would not survive a transcript. */
function jsonOf(metadata: unknown): JsonObject {
  if (!isObject(metadata)) return {};
  const clean = JSON.parse(JSON.stringify(metadata)) as JsonObject;
  return Object.fromEntries(
    Object.entries(clean).filter(([, own]) => isObject(own) && Object.keys(own).length > 0),
  );
}

function merged(earlier: JsonObject, later: JsonObject): JsonObject {
  const keys = new Set([...Object.keys(earlier), ...Object.keys(later)]);
  return Object.fromEntries(
    [...keys].map((key) => [key, { ...objectAt(earlier, key), ...objectAt(later, key) }]),
  );
}

function objectAt(metadata: JsonObject, key: string): JsonObject {
  const own = metadata[key];
  return isObject(own) ? own : {};
}
