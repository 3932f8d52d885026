// The decision about one call and its ground: a rule with its place, a mode, or the absence of a rule. Plain data that can
// be shown, logged and forwarded.

import type { FlowConcern } from '../flow/conversation-flow.ts';
import type { Effect, Rule } from './rule.ts';

/**
 * `default` asks if no rule decides. `read-only` denies every tool that does not claim to be read-only.
 * `deny-asks` denies instead of asking. `allow-all` allows if no rule decides.
 */
export type Mode = 'default' | 'read-only' | 'deny-asks' | 'allow-all';

/** A mode and its source. */
export interface StatedMode {
  readonly mode: Mode;
  readonly scope: string;
  readonly strength: number;
  readonly origin: Rule['origin'];
  readonly isOwn: boolean;
}

export interface Decision {
  readonly kind: Effect;
  readonly because: Ground;
}

export type Ground =
  | { readonly kind: 'rule'; readonly rule: Rule }
  /** `instead`: the ground of the decision without the mode. */
  | { readonly kind: 'mode'; readonly stated: StatedMode; readonly instead?: Ground }
  /** The call would complete a flow from private data and foreign text to the outside. `instead`: the ground without it. */
  | { readonly kind: 'flow'; readonly concern: FlowConcern; readonly instead: Ground }
  /** No rule matches the call. */
  | { readonly kind: 'default'; readonly case: DefaultCase };

/**
 * `built-in`: a read-only tool of a built-in server. `ignored-file`: such a tool should return ignored files, or files that
 * look like secrets. `read-only`: a trusted server claims that the tool is read-only, and the settings allow that.
 */
export type DefaultCase = 'no-rule' | 'built-in' | 'ignored-file' | 'read-only';

/** Every rule that matches a call, with its part in the decision. */
export interface Explanation {
  readonly decision: Decision;
  readonly matches: readonly RuleMatch[];
}

export interface RuleMatch {
  readonly rule: Rule;
  /**
   * `decides`; `overruled` by a denial, a stronger source, or a stricter rule of its own source;
   * `powerless`: a rule that allows, from a file that may have come with a project.
   */
  readonly part: 'decides' | 'overruled' | 'powerless';
}
