// One message of a recorded call. It is kept as text, which is cheap; secrets are hidden when it is viewed, since most
// records never are.

import { looksLikeToken, soundsSecret } from '@plugboard/base';
import { type Era, redact, sizeOf } from '@plugboard/host/relay';
import type { MessageView, Time } from '../console-api.ts';

/** A message of either hop. */
export interface RecordedMessage {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** Where a message was sent. Many records share one object, to save memory. */
export interface MessagePlace {
  readonly hop: MessageView['hop'];
  readonly direction: MessageView['direction'];
  readonly era: Era;
  readonly server?: string;
  /** Set for a request without a known id. */
  readonly kind?: 'request';
}

/** A longer body is cut. */
const LONGEST_BODY = 64 * 1024;
/** A guess of the memory that a record takes in addition to its text. */
const OVERHEAD = 300;
const HIDDEN = '(hidden)';
/** The id of a session is as good as a token. */
const SECRET_HEADERS: ReadonlySet<string> = new Set(['mcp-session-id', 'last-event-id']);

type Head = Pick<MessageView, 'kind' | 'method'>;

export class MessageRecord {
  /** The size of the message, as JSON. */
  readonly bytes: number;
  readonly #place: MessagePlace;
  /** Milliseconds after the call began. */
  readonly #after: number;
  readonly #text: string;
  /** Set if the message was cut, so that it can no longer be parsed. */
  readonly #cut: Head | undefined;
  /** Of HTTP: names and values in turn. */
  readonly #headers: readonly string[] | undefined;

  constructor(
    message: RecordedMessage,
    place: MessagePlace,
    seen: { readonly after: number; readonly headers?: readonly string[] | undefined },
  ) {
    this.#place = place;
    this.#after = Math.round(seen.after);
    this.#headers = seen.headers;
    const size = sizeOf(message);
    this.#cut = size > LONGEST_BODY ? headOf(message, place) : undefined;
    this.#text = this.#cut === undefined ? JSON.stringify(message) : redact(message, LONGEST_BODY);
    this.bytes = this.#cut === undefined ? this.#text.length : size;
  }

  /** The memory that it takes. */
  get weight(): number {
    return this.#text.length + OVERHEAD;
  }

  /** Whether the text may be in it; secrets are not hidden yet. */
  mayHave(lowerCase: string): boolean {
    return this.#text.toLowerCase().includes(lowerCase);
  }

  /** `began` is the start of its call. */
  view(began: Time): MessageView {
    const { hop, direction, server, era } = this.#place;
    const message = this.#cut ?? (JSON.parse(this.#text) as RecordedMessage);
    return {
      at: began + this.#after,
      hop,
      direction,
      server,
      era,
      ...(this.#cut ?? headOf(message, this.#place)),
      bytes: this.bytes,
      headers: this.#headers === undefined ? undefined : shownHeaders(this.#headers),
      body: this.#cut === undefined ? redact(message, 2 * LONGEST_BODY) : this.#text,
      isCut: this.#cut !== undefined,
    };
  }
}

function headOf({ id, method, error }: RecordedMessage, { kind }: MessagePlace): Head {
  return {
    kind: kind ?? kindOf({ id, method, error }),
    method: typeof method === 'string' ? method : undefined,
  };
}

function kindOf({ id, method, error }: RecordedMessage): MessageView['kind'] {
  if (method !== undefined) return id === undefined ? 'notification' : 'request';
  return error === undefined ? 'result' : 'error';
}

function shownHeaders(raw: readonly string[]): Readonly<Record<string, string>> {
  const shown = new Map<string, string>();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase();
    const value = raw[index + 1] ?? '';
    const isSecret = SECRET_HEADERS.has(name) || soundsSecret(name) || looksLikeToken(value);
    shown.set(name, isSecret ? HIDDEN : value);
  }
  return Object.fromEntries(shown);
}
