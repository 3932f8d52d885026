// What a host is asked for and what it tells, as plain data.

import type { Instant } from '@plugboard/base';
import type { HostTool } from '../catalog/index.ts';
import type { Diagnostic, EditProblem } from '../config/index.ts';
import type { ConnectionFailure } from '../connection/index.ts';
import type { DeclinedQuestion, SamplingEvent, WhileAsked } from '../inbound/index.ts';
import type { Quarantined } from '../pins/index.ts';
import type { ListKind, OwnNotification, Progress, ServerLog } from '../protocol/index.ts';
import type { LogLine } from '../records/index.ts';
import type { CallScript } from './approver.ts';
import type { CallOutcome } from './call-outcome.ts';
import type { ConversationReading } from './conversation-reading.ts';
import type { ServerStatus } from './server-status.ts';

/** Where a server's tools are from. */
export interface ListOrigin {
  readonly server: string;
  /** When the server listed them. */
  readonly at: Instant;
  /** `stored`: in an earlier run. Nothing was asked in this one. */
  readonly source: 'server' | 'stored';
}

export interface ToolsReport {
  /** In a stable order: the same servers give the same list. */
  readonly tools: readonly HostTool[];
  /** The servers whose tools are missing from it: what a call to them would come to. */
  readonly problems: readonly CallOutcome[];
  /** Where the tools of each server are from, and from when. */
  readonly lists: readonly ListOrigin[];
  /** What is kept back of them; it is in no list until the user accepts it. */
  readonly quarantined: readonly Quarantined[];
}

export interface ToolsOptions {
  /** All, by default. */
  readonly servers?: readonly string[];
  /** Connects also where the tools are known from an earlier run. */
  readonly fresh?: boolean;
  readonly signal?: AbortSignal;
}

export interface CallSettings {
  /** Gives the call up; the server is told. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** How long the tool may take altogether, in place of what the entry of its server says. */
  readonly timeoutMs?: number;
  /** Who makes the call, in a program with several callers: shown to the user who is asked to approve it. */
  readonly asker?: string;
  /** The script that makes the call: shown to the user who is asked to approve it, who can approve it for the script. */
  readonly script?: CallScript;
  /** Stops a clock of the caller's while the user is asked about the call, or its server has someone asked. */
  readonly whileAsked?: WhileAsked;
  /** `whole`: as the server sent it, for a program that reads it by itself. `fitted` for a model, by default. */
  readonly result?: 'fitted' | 'whole';
  /** The program's own id of the call, to tell by which question belongs to which call. */
  readonly callId?: string;
  /** What the conversation has read that the call is a part of. `host.conversation()` gives it. */
  readonly conversation?: ConversationReading;
}

export type HostEvent =
  | { readonly kind: 'state'; readonly server: ServerStatus }
  /** The tools of a server were listed, for the first time or because they changed. */
  | { readonly kind: 'tools'; readonly server: string }
  /** A server's tools changed, but could not be listed again: the old list stays. */
  | {
      readonly kind: 'stale-tools';
      readonly server: string;
      readonly failure: ConnectionFailure;
    }
  /** A server says that what it lists is not what it was, once its lists were asked for. */
  | { readonly kind: 'list-changed'; readonly server: string; readonly list: Exclude<ListKind, 'tools'> }
  /** What is kept back of a server: all of it, each time that it is not what it was. */
  | {
      readonly kind: 'quarantine';
      readonly server: string;
      readonly quarantined: readonly Quarantined[];
    }
  /** What a server lists was accepted for this run alone: it could not be written, so a change will not be noticed later. */
  | {
      readonly kind: 'pins-not-kept';
      readonly server: string;
      readonly file: string;
      readonly code: string;
    }
  /** A server wanted a model to be asked, and what came of it. */
  | SamplingEvent
  /** A line of a server's own log. Text from the server. */
  | { readonly kind: 'log'; readonly server: string; readonly log: ServerLog }
  /** A line that is kept of a server: of its log, or written beside its messages. Text from the server. */
  | { readonly kind: 'line'; readonly server: string; readonly line: LogLine }
  /**
   * A notification whose method is none of the protocol's, from a server of this process or of an editor. Text from
   * the server.
   */
  | ({ readonly kind: 'notification'; readonly server: string } & OwnNotification)
  /** The user approved permanently: the rule was written to a file, or could not be written. */
  | {
      readonly kind: 'approval-kept' | 'approval-not-kept';
      readonly server: string;
      readonly tool: string;
      readonly file: string;
      /** As it is written there. */
      readonly rule: string;
      readonly problem?: EditProblem;
    }
  /** A server asked something, and it was declined without a person having decided so. */
  | ({ readonly kind: 'question-declined' } & DeclinedQuestion)
  /** Files were edited, and the host follows. */
  | ConfigurationChange
  /** The profiles of a gateway in the user's settings are not what they were. */
  | { readonly kind: 'profiles' }
  /** Files were edited and cannot be read as they are now: what counted before still does. */
  | { readonly kind: 'configuration-kept'; readonly diagnostics: readonly Diagnostic[] };

export interface ConfigurationChange {
  readonly kind: 'configuration';
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** They were ended, and started again where they were in use. */
  readonly changed: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}
