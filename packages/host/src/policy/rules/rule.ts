// What a rule says, as data: about which calls, and whether they run, are asked about or are denied.
// Who wrote it and where comes with it, so that a decision can name the place. Nothing is read here.

import type { Json } from '@plugboard/base';

export type Effect = 'allow' | 'ask' | 'deny';

/** Where a rule is written: a place in a file (1-based), or handed over by the program. */
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
  /** How strong that source is; higher is stronger. */
  readonly strength: number;
  readonly origin: RuleOrigin;
  /** It is the word of the person, the program or the machine's owner. Any other can only narrow. */
  readonly isOwn: boolean;
  /** Of a rule that allows: such a call does not count as sending out. */
  readonly isNotOut?: boolean;
}

export type RuleTarget =
  | ({ readonly kind: 'calls' } & CallPattern)
  /** What an entry leaves out of `allowedTools` or `allowedResources`: all that fits none of the patterns. */
  | {
      readonly kind: 'other-tools' | 'other-resources';
      readonly server: string;
      readonly patterns: readonly string[];
    }
  /** Whatever only reads from a server, by its own word, or all the rest. */
  | { readonly kind: 'reads' | 'writes'; readonly server: string }
  /** A rule that cannot be understood: to deny or to ask, it means every call; to allow, none. */
  | { readonly kind: 'unclear'; readonly reason: string };

/** All that is given must fit. */
export interface CallPattern {
  /** `mcp__server__tool` as a model knows it, `mcp__server`, or `server/tool`; `*` stands for any text. */
  readonly tool?: string;
  readonly server?: string;
  readonly annotations?: AnnotationPattern;
  readonly arguments?: readonly Predicate[];
}

/** What a server says of its tool, which proves nothing. */
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
