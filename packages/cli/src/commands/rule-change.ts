// Reads from the flags of `plugboard permissions` which rule to write or remove, and in which scope. Pure.

import type { EditableScope } from '@plugboard/host/configuration';
import { UsageError } from '../usage-error.ts';

export interface RuleFlags {
  readonly deny?: true;
  readonly ask?: true;
  readonly allow?: true;
  readonly remove?: true;
  readonly here?: true;
  readonly scope?: string;
}

const EFFECTS = ['deny', 'ask', 'allow'] as const;

type Effect = (typeof EFFECTS)[number];

export interface RuleWriting {
  readonly kind: 'write';
  readonly effect: Effect;
  readonly scope: string;
  /** Whether the rule applies only in this project. */
  readonly isHere: boolean;
}

export interface RuleRemoval {
  readonly kind: 'remove';
  /** The effects of the rules to remove. */
  readonly effects: readonly Effect[];
  /** Derived from the rules if omitted. */
  readonly scope: string | undefined;
}

export type RuleChange = RuleWriting | RuleRemoval;

/** `undefined` if the flags change no rule. */
export function ruleChange(flags: RuleFlags): RuleChange | undefined {
  const effects = EFFECTS.filter((candidate) => flags[candidate] === true);
  const { scope } = flags;
  const isHere = flags.here === true;
  if (isHere && (flags.allow !== true || flags.remove === true)) {
    throw new UsageError(
      '--here is for --allow: it counts in this project alone',
      'leave it out: --deny and --ask are written for this project unless --scope says otherwise',
    );
  }
  if (flags.remove === true) {
    return { kind: 'remove', effects: effects.length === 0 ? EFFECTS : effects, scope };
  }
  const [effect, another] = effects;
  if (effect === undefined) {
    if (scope === undefined) return undefined;
    throw new UsageError(
      '--scope says where a rule is written or removed',
      'add --deny, --ask, --allow or --remove',
    );
  }
  if (another !== undefined) {
    throw new UsageError(`--${effect} and --${another} cannot be combined`, 'give one of them');
  }
  return { kind: 'write', effect, scope: scope ?? DEFAULT_SCOPES[effect], isHere };
}

/** The default scopes. A file of a folder can only restrict, so `allow` is written to the user's settings. */
const DEFAULT_SCOPES: Readonly<Record<Effect, EditableScope>> = {
  deny: 'local',
  ask: 'local',
  allow: 'user',
};

/** The flag of a change. */
export function flagOf(change: RuleChange): string {
  return change.kind === 'remove' ? '--remove' : `--${change.effect}`;
}
