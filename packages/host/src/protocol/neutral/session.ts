// The port through which every room above talks to one connected server. It hides the transport and
// the era; it does not reconnect, retry or decide anything.

import type { Json, JsonObject, Result } from '@plugboard/base';
import type { ProtocolFailure } from './failure.ts';
import type { Era, Progress, ServerIdentity, ToolPage, ToolResult } from './model.ts';
import type {
  ProtocolAnswer,
  Completion,
  CompletionRequest,
  Features,
  PromptPort,
  RequestOptions,
  ResourcePort,
  SkillPort,
} from './primitives.ts';

export type { RequestOptions } from './primitives.ts';

export interface CallOptions {
  /** Gives the call up; the server is told. */
  readonly signal: AbortSignal;
  /** The call fails when the server shows no sign of life for this long. */
  readonly idleMs: number;
  /** The call fails after this long, whatever the server shows. */
  readonly hardMs: number;
  readonly onProgress?: (progress: Progress) => void;
}

export interface ToolCall {
  /** The server's own name for the tool. */
  readonly name: string;
  readonly arguments: JsonObject;
  /** As the server listed it: it can ask for arguments to be sent as headers, too. */
  readonly inputSchema?: JsonObject;
  /** As its definition says. */
  readonly needsTask?: true | undefined;
}

export type ListKind = 'tools' | 'prompts' | 'resources';

/** A line of the server's own log. Text from the server: hostile. */
export interface ServerLog {
  readonly level: string;
  readonly logger: string | undefined;
  readonly data: Json;
}

/** One whose method is none of the protocol's. From a server: hostile, and within bounds. */
export interface OwnNotification {
  readonly method: string;
  readonly params?: JsonObject;
}

/** How much a session is used. A sign of life does not count as use. */
export interface Activity {
  /** Requests under way, and resources that are watched. */
  readonly running: number;
  /** When the last of them ended, in the clock's elapsed time. */
  readonly lastUse: number;
}

/** What the owner of a session knows better than the session. */
export interface SessionGuard {
  /** A call is about to be sent. */
  beforeCall(given: JsonObject): void;
  /** The failure as it may be told. */
  shown(failure: ProtocolFailure): ProtocolFailure;
  /** What the session ends with, where a request that failed so is the end of it. */
  endAfter(failure: ProtocolFailure): ProtocolFailure | undefined;
  shownLog(log: ServerLog): ServerLog;
}

export interface Session {
  readonly era: Era;
  readonly protocolVersion: string;
  readonly server: ServerIdentity | undefined;
  readonly instructions: string | undefined;
  /** Resolves, never rejects, when the connection has ended for whatever reason. */
  readonly closed: Promise<ProtocolFailure>;

  listTools(
    cursor: string | undefined,
    options: RequestOptions,
  ): Promise<Result<ToolPage, ProtocolFailure>>;

  callTool(call: ToolCall, options: CallOptions): Promise<Result<ToolResult, ProtocolFailure>>;

  readonly activity: Activity;
  readonly features: Features;
  readonly resources: ResourcePort;
  readonly prompts: PromptPort;
  readonly skills: SkillPort;

  complete(request: CompletionRequest, options: RequestOptions): ProtocolAnswer<Completion>;

  /** Equal as long as requests go out with the same credentials; says nothing about them. */
  credentialsMark(signal: AbortSignal): Promise<string>;

  /** Asks for a sign of life. */
  ping(options: RequestOptions): Promise<Result<void, ProtocolFailure>>;

  /**
   * Reports which lists changed, until it is disposed of; even after every gap in which a change may have been missed.
   */
  watchLists(onChange: (list: ListKind) => void): Disposable;

  /** Reports the server's log until it is disposed of. */
  watchLog(onLog: (log: ServerLog) => void): Disposable;

  /** Reports notifications that are not part of the protocol, until it is disposed of. */
  watchNotifications(onNotification: (notification: OwnNotification) => void): Disposable;

  /** Sends a notification that is none of the protocol's. */
  notify(notification: OwnNotification): Promise<Result<void, ProtocolFailure>>;

  /** Ends the connection and everything it started. Idempotent. */
  close(): Promise<void>;
}
