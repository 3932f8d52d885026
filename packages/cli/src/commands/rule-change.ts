// Which rule the flags of `plugboard permissions` ask to write or remove, and in which scope. Pure; the command carries
// it out.

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
  /** It counts in this project alone. */
  readonly isHere: boolean;
}

export interface RuleRemoval {
  readonly kind: 'remove';
  /** Rules with one of these go. */
  readonly effects: readonly Effect[];
  /** Found out by default. */
  readonly scope: string | undefined;
}

export type RuleChange = RuleWriting | RuleRemoval;

/** `undefined` if no rule is to be written or removed. */
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
  return { kind: 'write', effect, scope: scope ?? UNLESS_GIVEN[effect], isHere };
}

/** What may have come with a folder can only narrow. */
const UNLESS_GIVEN: Readonly<Record<Effect, EditableScope>> = {
  deny: 'local',
  ask: 'local',
  allow: 'user',
};

/** As it is typed. */
export function flagOf(change: RuleChange): string {
  return change.kind === 'remove' ? '--remove' : `--${change.effect}`;
}
