// A client of the console's API of a gateway in another process: reads its state and events, and answers approvals and
// questions. It is for programs of the user who started the gateway, with the token of the console.

import {
  type Clock,
  type Deadline,
  deadline,
  err,
  isObject,
  type Json,
  messageOf,
  ok,
  parseJson,
  type Result,
} from '@plugboard/base';
import type {
  ConsoleEvent,
  ConsoleState,
  Launch,
  ServerAction,
  WaitingAnswer,
} from './console-api.ts';

export interface ConsolePlace {
  /** The address of `/mcp`. */
  readonly url: string;
  readonly token: string;
  readonly clock: Clock;
}

export type ConsoleFailure =
  | { readonly kind: 'unreachable'; readonly reason: string }
  | { readonly kind: 'refused'; readonly status: number; readonly reason: string };

const ANSWER_MS = 10_000;
/** The gateway sends a comment more often than that. */
const SILENCE_MS = 60_000;
const BODY = { maxLength: 64 * 1024 * 1024, maxDepth: 200 };

export class ConsoleClient {
  readonly #place: ConsolePlace;

  constructor(place: ConsolePlace) {
    this.#place = place;
  }

  async state(signal: AbortSignal): Promise<Result<ConsoleState, ConsoleFailure>> {
    const reply = await this.#send('/state', { method: 'GET' }, signal);
    // The gateway writes this type.
    return reply as Result<unknown, ConsoleFailure> as Result<ConsoleState, ConsoleFailure>;
  }

  /** Gets an address that opens the page once. */
  async launch(signal: AbortSignal): Promise<Result<Launch, ConsoleFailure>> {
    const reply = await this.#send('/launch', { method: 'POST', body: '{}' }, signal);
    return reply as Result<unknown, ConsoleFailure> as Result<Launch, ConsoleFailure>;
  }

  /** Connects to a server, with the current sign-in of the user. */
  connect(server: string, signal: AbortSignal): Promise<Result<unknown, ConsoleFailure>> {
    const action: ServerAction = { kind: 'connect' };
    const body = JSON.stringify(action);
    return this.#send(`/servers/${encodeURIComponent(server)}`, { method: 'POST', body }, signal);
  }

  answer(
    id: string,
    answer: WaitingAnswer,
    signal: AbortSignal,
  ): Promise<Result<unknown, ConsoleFailure>> {
    const body = JSON.stringify(answer);
    return this.#send(`/waiting/${encodeURIComponent(id)}`, { method: 'POST', body }, signal);
  }

  /**
   * The events after a cursor, until the signal aborts or the gateway ends. While the feed is open, this reader watches the
   * desk.
   */
  async feed(
    after: number,
    signal: AbortSignal,
  ): Promise<Result<AsyncIterable<ConsoleEvent>, ConsoleFailure>> {
    const silence = deadline(SILENCE_MS, this.#place.clock, signal);
    try {
      const response = await this.#fetch(`/events?after=${after}`, {}, silence.signal);
      const { body } = response;
      if (response.status === 200 && body !== null) return ok(eventsIn(body, silence));
      silence[Symbol.dispose]();
      return err(await failureOf(response));
    } catch (thrown) {
      silence[Symbol.dispose]();
      return err({ kind: 'unreachable', reason: reasonOf(thrown) });
    }
  }

  async #send(
    path: string,
    init: RequestInit,
    signal: AbortSignal,
  ): Promise<Result<Json | undefined, ConsoleFailure>> {
    using limit = deadline(ANSWER_MS, this.#place.clock, signal);
    try {
      const response = await this.#fetch(path, init, limit.signal);
      if (!response.ok) return err(await failureOf(response));
      if (response.status === 204) return ok(undefined);
      const read = parseJson(await response.text(), BODY);
      return read.ok ? read : err({ kind: 'unreachable', reason: 'its answer cannot be read' });
    } catch (thrown) {
      return err({ kind: 'unreachable', reason: reasonOf(thrown) });
    }
  }

  #fetch(path: string, init: RequestInit, signal: AbortSignal): Promise<Response> {
    const { url, token } = this.#place;
    return fetch(`${url.replace(/\/mcp$/, '/console/api')}${path}`, {
      ...init,
      signal,
      // The token goes to the gateway alone.
      redirect: 'error',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        'X-Plugboard-Console': '1',
      },
    });
  }
}

async function* eventsIn(
  body: NonNullable<Response['body']>,
  silence: Deadline,
): AsyncGenerator<ConsoleEvent> {
  using _ = silence;
  const decoder = new TextDecoder();
  const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  // In Node 20, a body ignores the signal once its request was garbage-collected.
  const leave = (): void => void reader.cancel().catch(() => {});
  silence.signal.addEventListener('abort', leave, { once: true });
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      silence.restart();
      text += decoder.decode(value, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const data = /^data: (?<json>.*)$/m.exec(block)?.groups?.['json'];
        const event = data === undefined ? undefined : parseJson(data, BODY);
        // The gateway writes this type.
        if (event?.ok === true) yield event.value as unknown as ConsoleEvent;
      }
    }
  } catch {
    // The gateway ended, or the reader cancelled.
  } finally {
    leave();
  }
}

async function failureOf(response: Response): Promise<ConsoleFailure> {
  const { status } = response;
  const read = parseJson(await response.text(), BODY);
  const { error } = read.ok && isObject(read.value) ? read.value : {};
  return { kind: 'refused', status, reason: typeof error === 'string' ? error : `HTTP ${status}` };
}

/** The cause of a failed `fetch` says more than its message. */
function reasonOf(thrown: unknown): string {
  const { cause } = thrown instanceof Error ? thrown : {};
  return messageOf(cause ?? thrown);
}
