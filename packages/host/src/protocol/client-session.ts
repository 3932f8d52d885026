// A `Session` over a client. Requests are sent with a schema that accepts everything, and results are checked once by
// our own code, because the SDK's generic result schemas are most of the cost of a call.

import { abortable, type Clock, err, never, ok, type Result } from '@plugboard/base';
import { assumeComplete, isQuestion } from './modern/assume-complete.ts';
import { boundQuestions } from './modern/bound-questions.ts';
import {
  checkedBy,
  completeOver,
  emptyPage,
  promptPort,
  resourcePort,
} from './client-primitives.ts';
import { skillPort, type SkillWire } from './client-skills.ts';
import { classify, type JudgeSdkError } from './classify.ts';
import { Questions, type TimedOptions } from './elicitation.ts';
import type { ProtocolFailure } from './neutral/failure.ts';
import type { InboundPort } from './neutral/inbound-requests.ts';
import type { Link } from './link-to.ts';
import type { Era, ServerIdentity, ToolDefinition } from './neutral/model.ts';
import { withoutBadHeaders } from './modern/parameter-headers.ts';
import { featuresOf } from './features.ts';
import type { Features, Page, ProtocolAnswer } from './neutral/primitives.ts';
import { readToolPage } from './read-primitives.ts';
import { ResourceWatches, type WatchPorts } from './resource-watches.ts';
import type { SessionRoots } from './early-roots.ts';
import { announceRoots } from './roots.ts';
import { ServerNews } from './server-news.ts';
import { sessionExpiry } from './session-expiry.ts';
import { SessionUse } from './session-use.ts';
import { ModernCalls, sendsHeadersPerRequest } from './modern-calls.ts';
import { PASS_THROUGH, type SessionClient } from './session-client.ts';
import { callLegacy, type ToolCallResult, type SendRequest } from './tool-call.ts';
import type { TaskTransport } from './tasks/task-transport.ts';
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

/** After this many consecutive requests that did not reach the server, the connection counts as lost. */
const MAX_UNREACHED = 3;
/** Longer than the first calls wait for the ping. */
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
  readonly #classifySdk: JudgeSdkError | undefined;
  readonly #guard: SessionGuard | undefined;
  readonly #use: SessionUse;
  readonly #link: Link;
  readonly #clock: Clock;
  readonly #resolveClosed: (failure: ProtocolFailure) => void;
  readonly #ending = new AbortController();
  readonly #news: ServerNews;
  readonly #modernCalls: ModernCalls;
  readonly resources: Session['resources'];
  readonly prompts: Session['prompts'];
  readonly skills: Session['skills'];
  readonly complete: Session['complete'];
  #era: Era | undefined;
  #features: Features | undefined;
  /** Only if the host answers questions. */
  readonly #questions: Questions | undefined;
  #questionCount = 0;
  #unreachedCount = 0;
  #hasAnswered = false;
  /** Settles when the first calls may be sent. */
  #firstCalls: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(client: SessionClient, parts: SessionParts) {
    const { link, tasks, clock, judge, guard } = parts;
    const { elicit } = parts.inbound;
    this.#classifySdk = judge;
    this.#guard = guard;
    this.#use = new SessionUse(clock);
    this.#client = client;
    this.#link = link;
    this.#clock = clock;
    let resolveClosed = (_: ProtocolFailure): void => {};
    this.closed = new Promise((resolve) => {
      resolveClosed = (failure) => resolve(guard?.shown(failure) ?? failure);
    });
    this.#resolveClosed = resolveClosed;
    // The SDK calls the previous listener first for each message.
    (tasks ?? link.transport).onmessage = (message) => {
      if (this.era !== 'modern') return;
      boundQuestions(message);
      assumeComplete(message);
      if (isQuestion(message)) this.#questionCount += 1;
    };
    const ports = { client, clock, ending: this.#ending.signal, era: () => this.era };
    this.#news = new ServerNews(ports);
    this.#questions = elicit === undefined ? undefined : new Questions({ ...ports, elicit });
    this.#questions?.register(client);
    this.#modernCalls = new ModernCalls({
      link,
      request: this.#request,
      tasks,
      news: this.#news,
      listTools: (cursor, options) => this.listTools(cursor, options),
    });
    const wire: SkillWire & WatchPorts = {
      ...ports,
      request: (method, params, { signal, timeoutMs: timeout }) => {
        const sent = this.#request(method, this.#news.askForLog(params), { signal, timeout });
        // To unsubscribe is not a use of the server.
        return method === 'resources/unsubscribe' ? sent : this.#use.during(sent);
      },
      features: () => this.features,
      questions: () => this.#questionCount,
      failureOf: (thrown, options) => this.#failureOf(thrown, options),
    };
    const watches = new ResourceWatches(wire);
    this.resources = resourcePort(wire, (...args) =>
      this.#use.whileWatching(watches.watch(...args)),
    );
    this.prompts = promptPort(wire);
    const skills = skillPort(wire);
    this.skills = { ...skills, read: (...args) => this.#use.during(skills.read(...args)) };
    this.complete = (request, options) => completeOver(wire, request, options);
    client.onclose = () => {
      this.#ending.abort();
      this.#resolveClosed(link.end() ?? { kind: 'closed' });
    };
  }

  get era(): Era {
    // Every message reads it, and it never changes once it is known.
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
  ): ProtocolAnswer<Page<ToolDefinition>> {
    return this.#use.during(this.#listTools(cursor, options));
  }

  async #listTools(
    cursor: string | undefined,
    { signal, timeoutMs }: RequestOptions,
  ): ProtocolAnswer<Page<ToolDefinition>> {
    if (this.#client.getServerCapabilities()?.tools === undefined) return ok(emptyPage());
    const params = cursor === undefined ? {} : { cursor };
    const response = await this.#request('tools/list', params, { signal, timeout: timeoutMs });
    const page = checkedBy(readToolPage, response);
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
    const response = await this.#request(method, {}, { signal, timeout: timeoutMs });
    // A server that answers with an error is alive.
    return response.ok || response.error.kind === 'rpc' ? ok(undefined) : response;
  }

  get features(): Features {
    // The client drops them when it is closed.
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
    this.#questions === undefined
      ? this.#send(method, params, options)
      : this.#questions.send(options, (timed) => this.#send(method, params, timed));

  async #send(
    method: string,
    params: Record<string, unknown>,
    options: TimedOptions,
  ): Promise<Result<unknown, ProtocolFailure>> {
    try {
      // On every request, the SDK's client would add a listener to the signal that never aborts.
      const omitsSignal = options.signal === never && this.#client.limits === undefined;
      const sent = omitsSignal ? withoutSignal(options) : options;
      const answer = await this.#client.request({ method, params }, PASS_THROUGH, sent);
      this.#unreachedCount = 0;
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
    return this.#guardFailure(this.#closeIfLost(classify(thrown, context, this.#classifySdk)));
  }

  #guardFailure(failure: ProtocolFailure): ProtocolFailure {
    if (this.#guard === undefined) return failure;
    const shown = this.#guard.shown(failure);
    const end = this.#guard.endAfter(shown);
    // Resolved before the caller continues, so that no caller gets this session again.
    if (end !== undefined) this.#resolveClosed(end);
    return end ?? shown;
  }

  /** Closes the session if the failed request shows that the connection is lost. */
  #closeIfLost(failure: ProtocolFailure): ProtocolFailure {
    const expired = sessionExpiry(failure, this.#link);
    if (expired !== undefined) return this.#endWith(expired);
    this.#unreachedCount = failure.kind === 'unreachable' ? this.#unreachedCount + 1 : 0;
    return this.#unreachedCount >= MAX_UNREACHED ? this.#endWith(failure) : failure;
  }

  /** Resolves `closed` at once, so that no caller gets the session while it closes. */
  #endWith(failure: ProtocolFailure): ProtocolFailure {
    this.#resolveClosed(failure);
    void this.close();
    return failure;
  }
}

function withoutSignal({ signal: _, ...others }: TimedOptions): Omit<TimedOptions, 'signal'> {
  return others;
}
