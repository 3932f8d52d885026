// The console over HTTP, at `/console`: the files of the page, the session of a browser, the feed, and the routes of the API.
// Every request is checked before its body is read. GET changes nothing.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { isObject, type Json, parseJson } from '@plugboard/base';
import type { Reader } from '../client/index.ts';
import type { ConsoleProblem, Launch } from '../console-api.ts';
import {
  BodyRoom,
  EventStream,
  type HttpLimits,
  readBody,
  type Refusal,
  sendJson,
  type TakeRoom,
} from '../front/index.ts';
import { Access, type AccessOptions } from './access.ts';
import type { Console } from './console.ts';
import { type Page, SAFE_HEADERS } from './page.ts';
import { type ApiAnswer, partsOf, type Route } from './route.ts';
import { consoleRoutes } from './routes.ts';

export interface ConsoleFrontOptions extends AccessOptions {
  readonly console: Console;
  readonly page: Page;
  readonly limits: HttpLimits;
  /** The address of the page. */
  readonly url: string;
}

const PLACE = /^\/console(?=$|[/?])/;
const BODY = { maxLength: 1024 * 1024, maxDepth: 100 };
/** For the body with a token, which anyone may send. */
const SESSION_BYTES = 4096;
const NO_STORE = { ...SAFE_HEADERS, 'Cache-Control': 'no-store' };
const NOT_FOUND: Refusal = { status: 404, reason: 'There is nothing at this address' };
const BROKEN: Refusal = { status: 400, reason: 'The body does not have the expected form' };

interface ConsoleRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** After `/console`, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
}

export class ConsoleFront implements Disposable {
  readonly #options: ConsoleFrontOptions;
  readonly #access: Access;
  readonly #room: BodyRoom;
  readonly #routes: readonly Route[];
  /** Open streams, with the requests that opened them. */
  readonly #streams = new Map<EventStream, IncomingMessage>();

  constructor(options: ConsoleFrontOptions) {
    this.#options = options;
    this.#access = new Access(options, options.console.core.options.clock);
    this.#room = new BodyRoom(options.limits.bodiesBytes);
    this.#routes = [
      ...consoleRoutes(options.console),
      {
        method: 'POST',
        path: '/launch',
        answer: ({ reader }) => {
          const body: Launch = { url: this.launch(reader) };
          return { kind: 'json', body };
        },
      },
    ];
  }

  /** Whether a request is for the console. */
  isFor({ url = '' }: IncomingMessage): boolean {
    return PLACE.test(url);
  }

  get url(): string {
    return this.#options.url;
  }

  /** An address that opens the page once: for an administrator, by default. */
  launch(reader?: Reader): string {
    return `${this.#options.url}#token=${this.#access.launch(reader)}`;
  }

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    const [target = '', query = ''] = (request.url ?? '').replace(PLACE, '').split('?');
    const asked = { request, response, path: target, query: new URLSearchParams(query) };
    const { method } = request;
    if (method !== 'GET' && method !== 'POST') {
      const headers = { Allow: 'GET, POST' };
      refuse(response, { status: 405, reason: 'Method not allowed', headers });
      return;
    }
    // Any site may link to the page itself, which holds no data of the gateway.
    const isPage = method === 'GET' && !target.startsWith('/api/');
    const refusal = this.#access.refusal(request, isPage ? 'page' : 'api');
    if (refusal !== undefined) refuse(response, refusal);
    else if (isPage) this.#sendFile(asked);
    else if (target === '/session') void this.#openSession(asked);
    else if (target === '/session/end') this.#endSession(asked);
    else void this.#answerApi(asked);
  };

  [Symbol.dispose](): void {
    for (const stream of this.#streams.keys()) stream.end();
    this.#options.console[Symbol.dispose]();
  }

  #sendFile({ request, response, path }: ConsoleRequest): void {
    if (path === '') {
      // The page names its files relative to its own address.
      const Location = (request.url ?? '').replace(PLACE, '/console/');
      response.writeHead(308, { ...NO_STORE, Location }).end();
      return;
    }
    const file = this.#options.page.get(path.slice(1));
    if (file === undefined) refuse(response, NOT_FOUND);
    else response.writeHead(200, file.headers).end(file.body);
  }

  async #openSession({ request, response }: ConsoleRequest): Promise<void> {
    const body = await this.#readJson({ request, response }, SESSION_BYTES);
    if (body === undefined) return;
    const { token } = isObject(body.value) ? body.value : {};
    const entered = typeof token === 'string' ? this.#access.enter(token, request) : undefined;
    if (entered === undefined) {
      const reason = 'This link was already used or has expired. Open the console again.';
      refuse(response, { status: 401, reason });
      return;
    }
    const { console } = this.#options;
    console.core.record();
    // The state is what the page would request next.
    const headers = { ...NO_STORE, 'Set-Cookie': entered.cookie };
    sendJson(response, { status: 200, body: console.state(entered.reader), headers });
  }

  #endSession({ request, response }: ConsoleRequest): void {
    response.writeHead(204, { ...NO_STORE, 'Set-Cookie': this.#access.leave(request) }).end();
    // Also ends the streams of other pages of the same session.
    for (const [stream, opened] of this.#streams) {
      if (this.#access.readerOf(opened).kind === 'refused') stream.end();
    }
  }

  async #answerApi(asked: ConsoleRequest): Promise<void> {
    const { request, response } = asked;
    const path = asked.path.slice('/api'.length);
    const admission = this.#access.readerOf(request);
    if (admission.kind === 'refused') return refuse(response, admission.refusal);
    const { reader } = admission;
    if (path === '/events' && request.method === 'GET') return this.#openFeed(asked, reader);
    const take = this.#room.of(reader.principal, response);
    for (const route of this.#routes) {
      const parts = route.method === request.method ? partsOf(route, path) : undefined;
      if (parts === undefined) continue;
      const body =
        route.method === 'POST'
          ? await this.#readJson(asked, route.maxBytes ?? BODY.maxLength, take)
          : { value: undefined };
      if (body === undefined) return;
      const { query } = asked;
      const gone = new AbortController();
      response.once('close', () => gone.abort());
      const given = { reader, parts, query, body: body.value, signal: gone.signal };
      return answer(response, await route.answer(given));
    }
    refuse(response, NOT_FOUND);
  }

  #openFeed({ request, response, query }: ConsoleRequest, reader: Reader): void {
    const { console, limits } = this.#options;
    const { clock } = console.core.options;
    const seen = request.headers['last-event-id'] ?? query.get('after') ?? '';
    const after = /^\d{1,16}$/.test(String(seen)) ? Number(seen) : undefined;
    const stream = new EventStream(response, { headers: NO_STORE, limits, clock });
    this.#streams.set(stream, request);
    const reading = console.feed.attach(stream, reader, after);
    const watching = console.core.options.desk.watch(reader);
    response.once('close', () => {
      reading[Symbol.dispose]();
      watching[Symbol.dispose]();
      this.#streams.delete(stream);
    });
  }

  /** `undefined` if the request was refused. */
  async #readJson(
    { request, response }: Pick<ConsoleRequest, 'request' | 'response'>,
    maxBytes: number,
    take?: TakeRoom,
  ): Promise<{ readonly value: Json } | undefined> {
    const body = await readBody(request, maxBytes, take);
    if (!body.ok) {
      if (body.error !== 'broken') refuse(response, body.error);
      return undefined;
    }
    const read = parseJson(body.value, { ...BODY, maxLength: maxBytes });
    if (read.ok) return { value: read.value };
    refuse(response, BROKEN);
    return undefined;
  }
}

function answer(response: ServerResponse, given: ApiAnswer): void {
  if (given.kind === 'refused') refuse(response, given);
  else if (given.kind === 'done') response.writeHead(204, NO_STORE).end();
  else sendJson(response, { status: 200, body: given.body, headers: NO_STORE });
}

function refuse(response: ServerResponse, { status, reason, headers }: Refusal): void {
  const body: ConsoleProblem = { error: reason };
  sendJson(response, { status, body, headers: { ...NO_STORE, ...headers } });
}
