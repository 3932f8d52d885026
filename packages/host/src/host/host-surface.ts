// The options, reports and events of a host, as plain data.

import type { Instant } from '@plugboard/base';
import type { HostTool } from '../catalog/index.ts';
import type { Diagnostic, EditProblem } from '../config/index.ts';
import type { ConnectionFailure } from '../connection/index.ts';
import type { DeclinedQuestion, SamplingEvent, WhileAsked } from '../inbound/index.ts';
import type { Quarantined } from '../pins/index.ts';
import type { ConversationFlow } from '../policy/index.ts';
import type { ListKind, OwnNotification, Progress, ServerLog } from '../protocol/index.ts';
import type { LogLine } from '../records/index.ts';
import type { CallScript } from './approver.ts';
import type { CallOutcome } from './call-outcome.ts';
import type { ServerStatus } from './server-status.ts';

/** Where the list of a server's tools comes from. */
export interface ListOrigin {
  readonly server: string;
  /** When the server listed them. */
  readonly at: Instant;
  /** `stored`: from an earlier run; the server was not contacted in this one. */
  readonly source: 'server' | 'stored';
}

export interface ToolsReport {
  /** In a stable order: the same servers result in the same list. */
  readonly tools: readonly HostTool[];
  /** For each server whose tools are missing: the outcome that a call to it would have. */
  readonly problems: readonly CallOutcome[];
  /** The origin and the date of each server's list. */
  readonly lists: readonly ListOrigin[];
  /** What is kept back, and not listed until the user accepts it. */
  readonly quarantined: readonly Quarantined[];
}

export interface ToolsOptions {
  /** All servers, by default. */
  readonly servers?: readonly string[];
  /** Connects even if the tools are known from an earlier run. */
  readonly fresh?: boolean;
  readonly signal?: AbortSignal;
}

export interface CallSettings {
  /** Aborts the call and notifies the server. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** How long the call may take in total, in place of the limit in the server's entry. */
  readonly timeoutMs?: number;
  /** Who makes the call, in a program with several callers. Shown to the user with the request for approval. */
  readonly asker?: string;
  /** The script that makes the call. Shown with the request for approval; the user can approve it for the script. */
  readonly script?: CallScript;
  /** Stops the caller's clock while the user is asked about the call, or while its server asks a question. */
  readonly whileAsked?: WhileAsked;
  /** `whole`: as the server sent it, for a program. `fitted`: for a model; the default. */
  readonly result?: 'fitted' | 'whole';
  /** The program's own id of the call, which tells it to which call an approval belongs. */
  readonly callId?: string;
  /** What was read into the call's conversation. Set by `host.conversation()`. */
  readonly conversation?: ConversationFlow;
}

export type HostEvent =
  | { readonly kind: 'state'; readonly server: ServerStatus }
  /** The tools of a server were listed for the first time, or changed. */
  | { readonly kind: 'tools'; readonly server: string }
  /** A server's tools changed, but could not be listed again: the old list stays in effect. */
  | {
      readonly kind: 'stale-tools';
      readonly server: string;
      readonly failure: ConnectionFailure;
    }
  /** A server whose lists were requested reports that one of them changed. */
  | {
      readonly kind: 'list-changed';
      readonly server: string;
      readonly list: Exclude<ListKind, 'tools'>;
    }
  /** Everything that is kept back of a server, whenever that changes. */
  | {
      readonly kind: 'quarantine';
      readonly server: string;
      readonly quarantined: readonly Quarantined[];
    }
  /** A list was accepted for this run only: the pins could not be written, so later runs will not notice a change. */
  | {
      readonly kind: 'pins-not-kept';
      readonly server: string;
      readonly file: string;
      readonly code: string;
    }
  /** A sampling request of a server, and its outcome. */
  | SamplingEvent
  /** A log message of a server. Text from the server. */
  | { readonly kind: 'log'; readonly server: string; readonly log: ServerLog }
  /** A recorded line of a server: of its log, or written beside its messages. Text from the server. */
  | { readonly kind: 'line'; readonly server: string; readonly line: LogLine }
  /**
   * A notification that MCP does not define, from a server of this process or of an editor. Text from the
   * server.
   */
  | ({ readonly kind: 'notification'; readonly server: string } & OwnNotification)
  /** The user approved a tool permanently, and the rule was written to a file or could not be written. */
  | {
      readonly kind: 'approval-kept' | 'approval-not-kept';
      readonly server: string;
      readonly tool: string;
      readonly file: string;
      /** As written in the file. */
      readonly rule: string;
      readonly problem?: EditProblem;
    }
  /** A question of a server was declined, and not by the user. */
  | ({ readonly kind: 'question-declined' } & DeclinedQuestion)
  /** Files were edited, and the host has applied the changes. */
  | ConfigurationChange
  /** The gateway profiles in the user's settings changed. */
  | { readonly kind: 'profiles' }
  /** Files were edited and cannot be read now: the earlier configuration stays in effect. */
  | { readonly kind: 'configuration-kept'; readonly diagnostics: readonly Diagnostic[] };

export interface ConfigurationChange {
  readonly kind: 'configuration';
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** These servers were stopped, and restarted if they were in use. */
  readonly changed: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}
