// Who is asked about a call that no rule allows or denies by itself. The embedding program hands one over;
// without it, what would be asked is denied.

import type { JsonObject } from '@plugboard/base';
import type { HostTool } from '../catalog/index.ts';
import type { WrittenPermissionRule } from '../config/index.ts';
import type { Decision, TakenText } from '../policy/index.ts';

export interface ApprovalRequest {
  readonly tool: HostTool;
  /** As they will be sent. */
  readonly arguments: JsonObject;
  /** Why it is asked: the rule and its place, or that there is none. */
  readonly decision: Decision;
  /** Which pieces of the arguments were taken word for word from what was read into the conversation. */
  readonly taken: readonly TakenText[];
  /** For how long a yes may count. */
  readonly offers: readonly Remember[];
  /** What a yes for longer than this call can be kept as, the narrowest rule first. */
  readonly rules: readonly WrittenPermissionRule[];
  /**
   * Whether one of these rules, in the short form of settings, would allow the call if no file said anything about it. False
   * where a rule asks, or a flow of data.
   */
  isAllowedBy(rules: readonly string[]): boolean;
  /** As the caller said. */
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
 * `once`: for this call. `script`: for this tool in scripts with the very same code, while the host lives. `session`: for this tool, while the host lives. `always` and `always-here` write
 * a rule into the user's own settings, for this tool everywhere or in this project.
 */
export type Remember = 'once' | 'script' | 'session' | 'always' | 'always-here';

export type Approval =
  /**
   * `once`, by default. What was not offered counts as `session`, and `script` as `once`. `arguments`: as the person
   * changed them; they are checked and decided like those that a caller gives.
   */
  | {
      readonly kind: 'allow';
      readonly remember?: Remember;
      /** One of those that were offered; by default, the tool with any arguments. */
      readonly rule?: WrittenPermissionRule;
      readonly arguments?: JsonObject;
    }
  | { readonly kind: 'deny'; readonly reason: string };

export type Approver = (request: ApprovalRequest) => Approval | Promise<Approval>;

const ALLOW: Approval = { kind: 'allow' };

/** For programs in which every call is already someone's explicit wish. What a rule denies stays denied. */
export const allowAll: Approver = () => ALLOW;

/** The default: a program that has not said who approves has approved nothing. */
export const denyAll: Approver = () => ({
  kind: 'deny',
  reason: 'no approver was given to createHost',
});
