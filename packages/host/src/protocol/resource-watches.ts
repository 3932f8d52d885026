// Tracks which listeners watch which resource over one session, in both eras. A legacy server gets one subscription per
// resource. A modern server has one stream for all; when the set of resources changes, a new stream is opened before the
// old one is closed. Updates without a listener are dropped.

import { type Clock, Emitter, err, ok, type Result } from '@plugboard/base';
import { watchListStream } from './list-watch.ts';
import type { ProtocolFailure } from './neutral/failure.ts';
import type { Era } from './neutral/model.ts';
import type { RequestOptions, ResourceWatch } from './neutral/primitives.ts';
import { problemOfUri } from './read-primitives.ts';
import type { SessionClient } from './session-client.ts';

export interface WatchPorts {
  readonly client: Pick<SessionClient, 'listen' | 'setNotificationHandler'>;
  readonly clock: Clock;
  /** Aborts when the session ends. */
  readonly ending: AbortSignal;
  readonly era: () => Era;
  request(
    method: string,
    params: Record<string, unknown>,
    options: RequestOptions,
  ): Promise<Result<unknown, ProtocolFailure>>;
  readonly failureOf: (thrown: unknown, options: RequestOptions) => ProtocolFailure;
}

type WatchResult = Result<void, ProtocolFailure>;

interface WatchedResource {
  readonly listeners: Emitter<void>;
  begun: Promise<WatchResult>;
}

const MAX_WATCHED = 1000;
/** How many levels below a watched resource an updated one may be. */
const MAX_LEVELS = 32;
const TOO_MANY: ProtocolFailure = {
  kind: 'unexpected',
  message: `more than ${MAX_WATCHED} resources are watched`,
};
const REFUSED: ProtocolFailure = {
  kind: 'invalid-result',
  detail: 'the server does not tell of changes of this resource',
};
/** The time limit for unsubscribing, since the server may be gone. */
const UNSUBSCRIBE_MS = 5000;

export class ResourceWatches {
  readonly #ports: WatchPorts;
  readonly #watched = new Map<string, WatchedResource>();
  #isListening = false;
  #stream: AbortController | undefined;
  #opening: Promise<Result<ReadonlySet<string>, ProtocolFailure>> | undefined;
  #next: Promise<Result<ReadonlySet<string>, ProtocolFailure>> | undefined;

  constructor(ports: WatchPorts) {
    this.#ports = ports;
  }

  watch(uri: string, onUpdate: () => void, options: RequestOptions): ResourceWatch {
    this.#listen();
    const known = this.#watched.get(uri);
    if (known === undefined && this.#watched.size >= MAX_WATCHED) return endedWatch(err(TOO_MANY));
    const watched = known ?? { listeners: new Emitter<void>(ignore), begun: NOT_STARTED };
    this.#watched.set(uri, watched);
    const listening = watched.listeners.on(onUpdate);
    if (known === undefined) watched.begun = this.#begin(uri, options);
    let isOver = false;
    return {
      begun: watched.begun,
      [Symbol.dispose]: () => {
        listening[Symbol.dispose]();
        if (isOver || watched.listeners.size > 0) return;
        isOver = true;
        this.#end(uri, watched);
      },
    };
  }

  #listen(): void {
    if (this.#isListening) return;
    this.#isListening = true;
    this.#ports.client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
      this.#emitUpdate(params.uri),
    );
  }

  /** A server may report a resource below the watched one. */
  #emitUpdate(uri: string): void {
    if (problemOfUri(uri) !== undefined) return;
    let end = uri.length;
    for (let level = 0; level < MAX_LEVELS && end > 0; level += 1) {
      this.#watched.get(uri.slice(0, end))?.listeners.emit();
      if (uri[end] === '/') this.#watched.get(uri.slice(0, end + 1))?.listeners.emit();
      end = uri.lastIndexOf('/', end - 1);
    }
  }

  async #begin(uri: string, options: RequestOptions): Promise<WatchResult> {
    const begun =
      this.#ports.era() === 'legacy'
        ? await this.#ports.request('resources/subscribe', { uri }, options)
        : await this.#watchModern(uri, options);
    if (begun.ok) return ok(undefined);
    this.#watched.delete(uri);
    return begun;
  }

  #end(uri: string, watched: WatchedResource): void {
    if (this.#watched.get(uri) !== watched) return;
    this.#watched.delete(uri);
    const { ending, era } = this.#ports;
    if (ending.aborted) return;
    const options = { signal: ending, timeoutMs: UNSUBSCRIBE_MS };
    if (era() === 'legacy') {
      // Updates are ignored if the server keeps sending them.
      void this.#ports.request('resources/unsubscribe', { uri }, options);
    } else if (this.#watched.size === 0) {
      this.#stream?.abort();
      this.#stream = undefined;
    } else {
      void this.#reopen(options);
    }
  }

  async #watchModern(uri: string, options: RequestOptions): Promise<WatchResult> {
    const opened = await this.#reopen(options);
    if (!opened.ok) return opened;
    return opened.value.has(uri) ? ok(undefined) : err(REFUSED);
  }

  /** Opens a stream for all watched resources. Calls while a stream is being opened share the next one. */
  #reopen(options: RequestOptions): Promise<Result<ReadonlySet<string>, ProtocolFailure>> {
    this.#next ??= (async () => {
      await this.#opening;
      this.#opening = this.#next;
      this.#next = undefined;
      return this.#open(options);
    })();
    return this.#next;
  }

  /** The resources that the server agreed to report, once the stream is open. */
  #open(options: RequestOptions): Promise<Result<ReadonlySet<string>, ProtocolFailure>> {
    const { client, clock, ending, failureOf } = this.#ports;
    const uris = [...this.#watched.keys()];
    const before = this.#stream;
    const stream = new AbortController();
    const signal = AbortSignal.any([ending, stream.signal]);
    return new Promise((resolve) => {
      let isFirst = true;
      const listen = async () => {
        try {
          const opened = await client.listen(
            { resourceSubscriptions: uris },
            { signal, timeout: options.timeoutMs },
          );
          if (isFirst) this.#replaceStream(before, stream);
          isFirst = false;
          resolve(ok(new Set(opened.honoredFilter.resourceSubscriptions ?? [])));
          return opened;
        } catch (thrown) {
          // If the first attempt fails, the server does not support this; later ones are repeated.
          if (isFirst) stream.abort();
          resolve(err(failureOf(thrown, { signal: ending, timeoutMs: options.timeoutMs })));
          throw thrown;
        }
      };
      const onGap = (): void => uris.forEach((uri) => this.#watched.get(uri)?.listeners.emit());
      void watchListStream({ clock, random: Math.random, listen, onGap }, signal);
    });
  }

  #replaceStream(before: AbortController | undefined, stream: AbortController): void {
    this.#stream = stream;
    before?.abort();
    // All listeners may have left in the meantime.
    if (this.#watched.size === 0) stream.abort();
  }
}

const NOT_STARTED: Promise<WatchResult> = Promise.resolve(ok(undefined));

function endedWatch(begun: WatchResult): ResourceWatch {
  return { begun: Promise.resolve(begun), [Symbol.dispose]: ignore };
}

function ignore(): void {}
