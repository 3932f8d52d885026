// A rule as data: which calls it matches, and whether they run, are asked about or are denied. Includes
// the source and the place, so that a decision can name them. Nothing is read here.

import type { Json } from '@plugboard/base';

export type Effect = 'allow' | 'ask' | 'deny';

/** Where a rule is written: a place in a file (1-based), or stated by the program. */
export type RuleOrigin =
  | {
      readonly kind: 'file';
      readonly file: string;
      readonly line: number;
      readonly column: number;
    }
  | { readonly kind: 'given'; readonly by: string };

export interface Rule {
  readonly effect: Effect;
  readonly on: RuleTarget;
  /** As its author wrote it. */
  readonly text: string;
  /** The kind of source, in the words of the configuration. */
  readonly scope: string;
  /** The strength of the source; higher is stronger. */
  readonly strength: number;
  readonly origin: RuleOrigin;
  /** Whether the user, the program or the machine's owner stated it. Other rules can only narrow. */
  readonly isOwn: boolean;
  /** For a rule that allows: matching calls do not count as sending out. */
  readonly isNotOut?: boolean;
}

export type RuleTarget =
  | ({ readonly kind: 'calls' } & CallPattern)
  /** Everything that is missing in `allowedTools` or `allowedResources` of an entry: what matches no pattern. */
  | {
      readonly kind: 'other-tools' | 'other-resources';
      readonly server: string;
      readonly patterns: readonly string[];
    }
  /** The tools that are read-only by the server's claim, or all others. */
  | { readonly kind: 'reads' | 'writes'; readonly server: string }
  /** An invalid rule: it matches every call if it denies or asks, and none if it allows. */
  | { readonly kind: 'unclear'; readonly reason: string };

/** All stated members must match. */
export interface CallPattern {
  /** A model name, `mcp__server`, or `server/tool`; `*` stands for any text. */
  readonly tool?: string;
  readonly server?: string;
  readonly annotations?: AnnotationPattern;
  readonly arguments?: readonly Predicate[];
}

/** The server's claims about its tool. */
export interface AnnotationPattern {
  readonly readOnly?: boolean | undefined;
  readonly destructive?: boolean | undefined;
  readonly idempotent?: boolean | undefined;
  readonly openWorld?: boolean | undefined;
}

export type Operator =
  | 'equals'
  | 'in'
  | 'matches'
  | 'startsWith'
  | 'under'
  | 'runs'
  | 'origin'
  | 'lessThan'
  | 'atMost'
  | 'greaterThan'
  | 'atLeast';

export interface Predicate {
  /** `owner.name`, `paths.*`, or a JSON pointer. */
  readonly path: string;
  readonly operator: Operator;
  /** For `under`: the folder in all its spellings, each a complete path. */
  readonly value: Json;
  readonly isNegated: boolean;
}
