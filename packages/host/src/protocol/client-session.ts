// A `Session` over the SDK's client. Requests are sent with a schema that accepts everything, and results are
// checked once by our own code: the SDK's generic result schemas are most of the cost of a call.

import { abortable, type Clock, err, never, ok, type Result } from '@plugboard/base';
import { assumeComplete, isQuestion } from './modern/assume-complete.ts';
import { boundQuestions } from './modern/bound-questions.ts';
import { checkedBy } from './client-primitives.ts';
import { classify, type JudgeSdkError } from './classify.ts';
import { Questions, type TimedOptions } from './elicitation.ts';
import type { ProtocolFailure } from './neutral/failure.ts';
import type { InboundPort } from './neutral/inbound.ts';
import type { Link } from './link-to.ts';
import type { Era, ServerIdentity, ToolPage } from './neutral/model.ts';
import { withoutBadHeaders } from './modern/parameter-headers.ts';
import { featuresOf } from './features.ts';
import type { Features } from './neutral/primitives.ts';
import { readToolPage } from './read-result.ts';
import type { SessionRoots } from './early-roots.ts';
import { announceRoots } from './roots.ts';
import { ServerNews } from './server-news.ts';
import { sessionExpiry } from './session-expiry.ts';
import { sessionPrimitives } from './session-primitives.ts';
import { SessionUse } from './session-use.ts';
import { ModernCalls, sendsHeadersPerRequest } from './modern-calls.ts';
import { PASS_THROUGH, type SessionClient } from './session-client.ts';
import { callLegacy, type ToolCallResult, type SendRequest } from './tool-call.ts';
import type { TaskTransport } from './tasks/with-tasks.ts';
import type {
  Activity,
  CallOptions,
  ListKind,
  OwnNotification,
  RequestOptions,
  ServerLog,
  Session,
  SessionGuard,
  ToolCall,
} from './neutral/session.ts';

/** After this many failed deliveries in a row the connection counts as dead. */
const DEAD_AFTER = 3;
/** Longer than any caller waits for it. */
const PING_MS = 10_000;

export interface SessionParts {
  readonly link: Link;
  readonly tasks: TaskTransport | undefined;
  readonly clock: Clock;
  readonly inbound: InboundPort;
  readonly judge: JudgeSdkError | undefined;
  readonly guard: SessionGuard | undefined;
}

export class ClientSession implements Session {
  readonly closed: Promise<ProtocolFailure>;
  readonly #client: SessionClient;
  readonly #judgeSdk: JudgeSdkError | undefined;
  readonly #guard: SessionGuard | undefined;
  readonly #use: SessionUse;
  readonly #link: Link;
  readonly #clock: Clock;
  readonly #sayClosed: (failure: ProtocolFailure) => void;
  readonly #ending = new AbortController();
  readonly #news: ServerNews;
  readonly #modernCalls: ModernCalls;
  readonly resources: Session['resources'];
  readonly prompts: Session['prompts'];
  readonly skills: Session['skills'];
  readonly complete: Session['complete'];
  #era: Era | undefined;
  #features: Features | undefined;
  /** Only for servers that may ask questions. */
  readonly #asking: Questions | undefined;
  #questions = 0;
  #unreached = 0;
  #hasAnswered = false;
  /** Calls wait for this until it settles. */
  #firstCalls: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(client: SessionClient, parts: SessionParts) {
    const { link, tasks, clock, judge, guard } = parts;
    const { elicit } = parts.inbound;
    this.#judgeSdk = judge;
    this.#guard = guard;
    this.#use = new SessionUse(clock);
    this.#client = client;
    this.#link = link;
    this.#clock = clock;
    let sayClosed = (_: ProtocolFailure): void => {};
    this.closed = new Promise((resolve) => {
      sayClosed = (failure) => resolve(guard?.shown(failure) ?? failure);
    });
    this.#sayClosed = sayClosed;
    // The SDK calls the previous listener first for each message.
    (tasks ?? link.transport).onmessage = (message) => {
      if (this.era !== 'modern') return;
      boundQuestions(message);
      assumeComplete(message);
      if (isQuestion(message)) this.#questions += 1;
    };
    const ports = { client, clock, ending: this.#ending.signal, era: () => this.era };
    this.#news = new ServerNews(ports);
    this.#asking = elicit === undefined ? undefined : new Questions({ ...ports, elicit });
    this.#asking?.register(client);
    this.#modernCalls = new ModernCalls({
      link,
      request: this.#request,
      tasks,
      news: this.#news,
      listTools: (cursor, options) => this.listTools(cursor, options),
    });
    const { resources, prompts, skills, complete } = sessionPrimitives({
      ...ports,
      request: (method, params, { signal, timeoutMs: timeout }) => {
        const sent = this.#request(method, this.#news.askForLog(params), { signal, timeout });
        // Unsubscribing does not count as use.
        return method === 'resources/unsubscribe' ? sent : this.#use.during(sent);
      },
      features: () => this.features,
      questions: () => this.#questions,
      failureOf: (thrown, options) => this.#failureOf(thrown, options),
    });
    this.resources = {
      ...resources,
      watch: (...wanted) => this.#use.whileWatching(resources.watch(...wanted)),
    };
    this.prompts = prompts;
    this.skills = { ...skills, read: (...wanted) => this.#use.during(skills.read(...wanted)) };
    this.complete = complete;
    client.onclose = () => {
      this.#ending.abort();
      this.#sayClosed(link.end() ?? { kind: 'closed' });
    };
  }

  get era(): Era {
    // Needed for every message, and fixed once known.
    this.#era ??= this.#client.getProtocolEra();
    return this.#era ?? 'legacy';
  }

  get protocolVersion(): string {
    return this.#client.getNegotiatedProtocolVersion() ?? '';
  }

  get server(): ServerIdentity | undefined {
    const info = this.#client.getServerVersion();
    return info === undefined ? undefined : { name: info.name, version: info.version };
  }

  get instructions(): string | undefined {
    return this.#client.getInstructions();
  }

  get activity(): Activity {
    return this.#use.activity;
  }

  listTools(
    cursor: string | undefined,
    options: RequestOptions,
  ): Promise<Result<ToolPage, ProtocolFailure>> {
    return this.#use.during(this.#listTools(cursor, options));
  }

  async #listTools(
    cursor: string | undefined,
    { signal, timeoutMs }: RequestOptions,
  ): Promise<Result<ToolPage, ProtocolFailure>> {
    if (this.#client.getServerCapabilities()?.tools === undefined) return ok(NO_TOOLS);
    const params = cursor === undefined ? {} : { cursor };
    const answered = await this.#request('tools/list', params, { signal, timeout: timeoutMs });
    const page = checkedBy(readToolPage, answered);
    if (!page.ok || this.era !== 'modern' || !sendsHeadersPerRequest(this.#link)) return page;
    return ok(withoutBadHeaders(page.value));
  }

  callTool(call: ToolCall, options: CallOptions): ToolCallResult {
    this.#guard?.beforeCall(call.arguments);
    return this.#use.during(this.#call(call, options));
  }

  async #call(call: ToolCall, options: CallOptions): ToolCallResult {
    if (this.#firstCalls !== undefined) {
      // If the caller gives up, the call itself reports it.
      await abortable(this.#firstCalls, options.signal).catch(() => {});
    }
    return this.era === 'modern'
      ? this.#modernCalls.call(call, options)
      : callLegacy(call, options, this.#request);
  }

  async ping({ signal, timeoutMs }: RequestOptions): Promise<Result<void, ProtocolFailure>> {
    const method = this.era === 'modern' ? 'server/discover' : 'ping';
    const answered = await this.#request(method, {}, { signal, timeout: timeoutMs });
    // A server that answers with an error is alive.
    return answered.ok || answered.error.kind === 'rpc' ? ok(undefined) : answered;
  }

  get features(): Features {
    // The client forgets them when it is closed.
    this.#features ??= featuresOf(this.#client);
    return this.#features;
  }

  async credentialsMark(signal: AbortSignal): Promise<string> {
    return (await this.#link.credentialsMark?.(signal)) ?? '';
  }

  watchLists(onChange: (list: ListKind) => void): Disposable {
    return this.#news.watchLists(onChange);
  }

  watchLog(onLog: (log: ServerLog) => void): Disposable {
    return this.#news.watchLog((log) => onLog(this.#guard?.shownLog(log) ?? log));
  }

  watchNotifications(onNotification: (notification: OwnNotification) => void): Disposable {
    return this.#news.watchNotifications(onNotification);
  }

  async notify(notification: OwnNotification): Promise<Result<void, ProtocolFailure>> {
    try {
      return ok(await this.#link.transport.send({ jsonrpc: '2.0', ...notification }));
    } catch (thrown) {
      return err(this.#failureOf(thrown, { signal: never, timeoutMs: PING_MS }));
    }
  }

  announceRoots(roots: SessionRoots): void {
    const ending = this.#ending.signal;
    announceRoots(this.#client, roots, { era: this.era, ending });
    this.#firstCalls = roots.beforeCalls({
      clock: this.#clock,
      ending,
      hasAnswered: () =>
        this.era === 'modern' || this.#hasAnswered || this.#link.isRunning?.() === true,
      ping: (signal) => this.ping({ signal, timeoutMs: PING_MS }),
    });
    void this.#firstCalls?.then(() => {
      this.#firstCalls = undefined;
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#ending.abort();
    await this.#link.farewell();
    await this.#client.close();
    await this.#link.transport.close();
  }

  readonly #request: SendRequest = (method, params, options) =>
    this.#asking === undefined
      ? this.#send(method, params, options)
      : this.#asking.around(options, (meant) => this.#send(method, params, meant));

  async #send(
    method: string,
    params: Record<string, unknown>,
    options: TimedOptions,
  ): Promise<Result<unknown, ProtocolFailure>> {
    try {
      // The SDK's client would listen to a signal that never aborts, on every request.
      const isListenedTo = options.signal === never && this.#client.limits === undefined;
      const meant = isListenedTo ? withoutSignal(options) : options;
      const answer = await this.#client.request({ method, params }, PASS_THROUGH, meant);
      this.#unreached = 0;
      this.#hasAnswered = true;
      return ok(answer);
    } catch (thrown) {
      const { signal, timeout: timeoutMs } = options;
      return err(this.#failureOf(thrown, { signal, timeoutMs }));
    }
  }

  #failureOf(thrown: unknown, options: RequestOptions): ProtocolFailure {
    const { url } = this.#link;
    const context = { ...options, url, end: () => this.#link.end() };
    return this.#told(this.#judge(classify(thrown, context, this.#judgeSdk)));
  }

  #told(failure: ProtocolFailure): ProtocolFailure {
    if (this.#guard === undefined) return failure;
    const shown = this.#guard.shown(failure);
    const end = this.#guard.endAfter(shown);
    // Before the caller gets the answer: no caller may get this session again.
    if (end !== undefined) this.#sayClosed(end);
    return end ?? shown;
  }

  /** What a failed request says about the connection as a whole. */
  #judge(failure: ProtocolFailure): ProtocolFailure {
    const expired = sessionExpiry(failure, this.#link);
    if (expired !== undefined) return this.#giveUp(expired);
    this.#unreached = failure.kind === 'unreachable' ? this.#unreached + 1 : 0;
    return this.#unreached >= DEAD_AFTER ? this.#giveUp(failure) : failure;
  }

  /** Reported at once, so that no caller gets the session again while it closes. */
  #giveUp(verdict: ProtocolFailure): ProtocolFailure {
    this.#sayClosed(verdict);
    void this.close();
    return verdict;
  }
}

function withoutSignal({ signal: _, ...others }: TimedOptions): Omit<TimedOptions, 'signal'> {
  return others;
}

const NO_TOOLS: ToolPage = { tools: [], nextCursor: undefined, rejected: [] };
