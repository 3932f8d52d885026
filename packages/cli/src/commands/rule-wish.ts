// Which rule the flags of `plugboard permissions` ask for, and in which scope. Pure; writing it is left to whoever asks.

import type { EditableScope } from '@plugboard/host/configuration';
import { UsageError } from '../usage-error.ts';
import type { RuleWish } from './write-rule.ts';

export interface RuleFlags {
  readonly deny?: true;
  readonly ask?: true;
  readonly allow?: true;
  readonly scope?: string;
}

const EFFECTS = ['deny', 'ask', 'allow'] as const;

/** Nothing where no rule is to be written. */
export function ruleWish(flags: RuleFlags): RuleWish | undefined {
  const [effect, another] = EFFECTS.filter((candidate) => flags[candidate] === true);
  if (effect === undefined) {
    if (flags.scope === undefined) return undefined;
    throw new UsageError('--scope says where a rule is written', 'add --deny, --ask or --allow');
  }
  if (another !== undefined) {
    throw new UsageError(`--${effect} and --${another} exclude each other`, 'give one of them');
  }
  return { effect, scope: flags.scope ?? UNLESS_GIVEN[effect] };
}

/** What may have come with a folder can only narrow. */
const UNLESS_GIVEN: Readonly<Record<RuleWish['effect'], EditableScope>> = {
  deny: 'local',
  ask: 'local',
  allow: 'user',
};
