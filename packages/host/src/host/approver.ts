// The ports that approve a call which no rule allows or denies by itself, and a read about which a rule says to ask. The
// embedding program provides them; without them, such a call or read is denied.

import type { JsonObject } from '@plugboard/base';
import type { HostTool } from '../catalog/index.ts';
import type { WrittenPermissionRule } from '../config/index.ts';
import type { Decision, TakenText } from '../policy/index.ts';

export interface ApprovalRequest {
  readonly tool: HostTool;
  /** As they will be sent to the server. */
  readonly arguments: JsonObject;
  /** Why approval is needed: the rule and its place, or the absence of a rule. */
  readonly decision: Decision;
  /** The pieces of the arguments that occur word for word in what was read into the conversation. */
  readonly taken: readonly TakenText[];
  /** How long the approval may last. */
  readonly offers: readonly Remember[];
  /** The rules that a longer approval can be kept as, the narrowest first. */
  readonly rules: readonly WrittenPermissionRule[];
  /**
   * Whether one of these rules, in the short form of settings, would allow the call if no file had a rule about it. False
   * if a rule or a flow of data requires the approval.
   */
  isAllowedBy(rules: readonly string[]): boolean;
  /** As the caller named itself. */
  readonly asker?: string;
  readonly callId?: string;
  /** The script that makes the call. */
  readonly script?: CallScript;
  readonly signal: AbortSignal;
}

/** A script, as a model or a person wrote it. */
export interface CallScript {
  readonly name: string;
  readonly code: string;
}

/**
 * `once`: for this call. `script`: for this tool in scripts with exactly the same code, while the host lives. `session`: for
 * this tool, while the host lives. `always` and `always-here` write a rule into the user's own settings, for this tool
 * everywhere or in this project.
 */
export type Remember = 'once' | 'script' | 'session' | 'always' | 'always-here';

export type Approval =
  /**
   * `remember` is `once` by default. A value that was not offered counts as `session`, and `script` as `once`. `arguments`: as
   * the user changed them; they are checked and decided like those of a caller.
   */
  | {
      readonly kind: 'allow';
      readonly remember?: Remember;
      /** One of the offered rules; by default, the tool with any arguments. */
      readonly rule?: WrittenPermissionRule;
      readonly arguments?: JsonObject;
    }
  | { readonly kind: 'deny'; readonly reason: string };

export type Approver = (request: ApprovalRequest) => Approval | Promise<Approval>;

export interface ReadRequest {
  readonly server: string;
  readonly uri: string;
  /** Why approval is needed: the rule and its place. */
  readonly decision: Decision;
  readonly signal: AbortSignal;
}

/** A remembered approval counts for this resource while the host lives. */
export type ReadApprover = (request: ReadRequest) => Approval | Promise<Approval>;

const ALLOW: Approval = { kind: 'allow' };

/** For programs in which the user requests every call explicitly. What a rule denies stays denied. */
export const allowAll: Approver = () => ALLOW;

/** The default: a program without an approver approves nothing. */
export const denyAll: Approver = () => ({
  kind: 'deny',
  reason: 'no approver was given to createHost',
});

/** The same for reads. */
export const denyReads: ReadApprover = () => ({
  kind: 'deny',
  reason: 'no `approveRead` was given to createHost',
});
