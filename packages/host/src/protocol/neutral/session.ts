// The port through which other rooms use one connected server. It hides the transport and the era; it does not
// reconnect, retry or decide anything.

import type { Json, JsonObject, Result } from '@plugboard/base';
import type { ProtocolFailure } from './failure.ts';
import type { Era, Progress, ServerIdentity, ToolDefinition, ToolResult } from './model.ts';
import type {
  ProtocolAnswer,
  Completion,
  CompletionRequest,
  Features,
  Page,
  PromptPort,
  RequestOptions,
  ResourcePort,
  SkillPort,
} from './primitives.ts';

export type { RequestOptions } from './primitives.ts';

export interface CallOptions {
  /** Cancels the call; the server is notified. */
  readonly signal: AbortSignal;
  /** The call fails if the server shows no sign of life for this long. */
  readonly idleMs: number;
  /** The call fails after this long, whatever progress the server reports. */
  readonly hardMs: number;
  readonly onProgress?: (progress: Progress) => void;
}

export interface ToolCall {
  /** The server's own name for the tool. */
  readonly name: string;
  readonly arguments: JsonObject;
  /** As listed by the server. It can require arguments to be sent as headers, too. */
  readonly inputSchema?: JsonObject;
  /** As stated in its definition. */
  readonly needsTask?: true | undefined;
}

/** The lists of a server, whose changes it announces. Templates belong to the resources. */
export const LIST_KINDS = ['tools', 'prompts', 'resources'] as const;
export type ListKind = (typeof LIST_KINDS)[number];

/** The notification that a list has changed. */
export function listChanged<Kind extends ListKind>(list: Kind) {
  return `notifications/${list}/list_changed` as const;
}

export const LIST_CHANGES: readonly string[] = LIST_KINDS.map(listChanged);

/** A line of the server's own log. Text from the server: hostile. */
export interface ServerLog {
  readonly level: string;
  readonly logger: string | undefined;
  readonly data: Json;
}

/** A notification that MCP does not define. From a server: hostile, and limited in size. */
export interface OwnNotification {
  readonly method: string;
  readonly params?: JsonObject;
}

/** How much a session is used. Pings do not count. */
export interface Activity {
  /** The number of pending requests and watched resources. */
  readonly running: number;
  /** When the last of them ended, in the clock's elapsed time. */
  readonly lastUse: number;
}

/** The hooks of a session's owner, which has the secrets and the plan of the server. */
export interface SessionGuard {
  /** Called before a call is sent. */
  beforeCall(given: JsonObject): void;
  /** Returns the failure with its secrets hidden. */
  shown(failure: ProtocolFailure): ProtocolFailure;
  /** Returns the end of the session, if the failed request ends it. */
  endAfter(failure: ProtocolFailure): ProtocolFailure | undefined;
  /** Returns the log message with its secrets hidden. */
  shownLog(log: ServerLog): ServerLog;
}

export interface Session {
  readonly era: Era;
  readonly protocolVersion: string;
  readonly server: ServerIdentity | undefined;
  readonly instructions: string | undefined;
  /** Resolves with the reason when the connection has ended. Never rejects. */
  readonly closed: Promise<ProtocolFailure>;

  listTools(
    cursor: string | undefined,
    options: RequestOptions,
  ): ProtocolAnswer<Page<ToolDefinition>>;

  callTool(call: ToolCall, options: CallOptions): Promise<Result<ToolResult, ProtocolFailure>>;

  readonly activity: Activity;
  readonly features: Features;
  readonly resources: ResourcePort;
  readonly prompts: PromptPort;
  readonly skills: SkillPort;

  complete(request: CompletionRequest, options: RequestOptions): ProtocolAnswer<Completion>;

  /** Equal as long as requests are sent with the same credentials; reveals nothing about them. */
  credentialsMark(signal: AbortSignal): Promise<string>;

  /** Checks that the server is alive. */
  ping(options: RequestOptions): Promise<Result<void, ProtocolFailure>>;

  /** Reports changed lists until it is disposed of, and every gap in which a change may have been missed. */
  watchLists(onChange: (list: ListKind) => void): Disposable;

  /** Reports the server's log until it is disposed of. */
  watchLog(onLog: (log: ServerLog) => void): Disposable;

  /** Reports notifications that MCP does not define, until it is disposed of. */
  watchNotifications(onNotification: (notification: OwnNotification) => void): Disposable;

  /** Sends a notification that MCP does not define. */
  notify(notification: OwnNotification): Promise<Result<void, ProtocolFailure>>;

  /** Ends the connection and everything it started. Idempotent. */
  close(): Promise<void>;
}
