// What is decided about one call, and why: the rule with its place, the mode, or that no rule says
// anything. Plain data, fit to be shown, logged and sent on.

import type { FlowConcern } from '../flow/conversation-flow.ts';
import type { Effect, Rule } from './rule.ts';

/**
 * `default` asks about what no rule decides. `read-only` denies every tool that does not claim to only
 * read. `deny-asks` denies what would be asked. `allow-all` allows what no rule decides.
 */
export type Mode = 'default' | 'read-only' | 'deny-asks' | 'allow-all';

/** Who set a mode. */
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
  /** `instead`: what would have been the ground for asking. */
  | { readonly kind: 'mode'; readonly stated: StatedMode; readonly instead?: Ground }
  /** It would complete a flow from private data and foreign text to the outside. `instead`: the ground without it. */
  | { readonly kind: 'flow'; readonly concern: FlowConcern; readonly instead: Ground }
  /** No rule says anything about it. */
  | { readonly kind: 'default'; readonly case: DefaultCase };

/** `ignored-file`: such a server is asked for what ignore files leave out or what looks like a secret. `built-in`: of a server of ours that only reads. `read-only`: claimed by a trusted server, and the settings allow that. */
export type DefaultCase = 'no-rule' | 'built-in' | 'ignored-file' | 'read-only';

/** Every rule that is about a call, and what it had to do with the decision. */
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
