// The decision about a call, as the console shows it.

import type { Decision, Ground } from '@plugboard/host';
import { decisionReason } from '@plugboard/host/relay';
import type { DecisionView } from '../console-api.ts';

export function decisionView(decision: Decision, answer: DecisionView['answer']): DecisionView {
  const { kind, because } = decision;
  return { kind, ...placeOf(because), reason: decisionReason(decision), answer };
}

function placeOf(ground: Ground): Pick<DecisionView, 'rule' | 'source'> {
  switch (ground.kind) {
    case 'rule':
      return { rule: ground.rule.text, source: sourceOf(ground.rule.origin) };
    case 'mode':
      return { rule: undefined, source: sourceOf(ground.stated.origin) };
    case 'flow':
    case 'default':
      return { rule: undefined, source: undefined };
    default:
      return ground satisfies never;
  }
}

type Origin = Extract<Ground, { readonly kind: 'rule' }>['rule']['origin'];

/** The place of a rule or a hook, as text. */
export function sourceOf(origin: Origin): string {
  return origin.kind === 'given' ? origin.by : `${origin.file}:${origin.line}`;
}
