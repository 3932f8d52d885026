// The answers to an approval, with their keys, in the order in which they are shown.

import type { Remember } from '@plugboard/host';
import type { PendingApproval } from '../../chat/index.ts';

export type ApprovalChoice = { readonly key: string; readonly label: string } & (
  | { readonly kind: 'allow'; readonly remember: Remember }
  | { readonly kind: 'edit' | 'deny' | 'deny-with-reason' | 'other-rule' }
);

type AllowChoice = Extract<ApprovalChoice, { readonly kind: 'allow' }>;

const ALLOW_CHOICES: readonly AllowChoice[] = [
  { key: 'y', label: 'Yes, once', kind: 'allow', remember: 'once' },
  { key: 'c', label: 'Yes, for this tool in this script', kind: 'allow', remember: 'script' },
  { key: 's', label: 'Yes, in this conversation', kind: 'allow', remember: 'session' },
  { key: 'a', label: 'Always, everywhere', kind: 'allow', remember: 'always' },
  { key: 'h', label: 'Always, in this project', kind: 'allow', remember: 'always-here' },
];

const OTHER_CHOICES: readonly ApprovalChoice[] = [
  { key: 'e', label: 'Edit the arguments first', kind: 'edit' },
  { key: 'n', label: 'No', kind: 'deny' },
  { key: 'd', label: 'No, and say why', kind: 'deny-with-reason' },
];

const PLAN_CHOICES: readonly ApprovalChoice[] = [
  { key: 'y', label: 'Yes, and ask before changes', kind: 'allow', remember: 'once' },
  { key: 'a', label: 'Yes, and accept edits of files', kind: 'allow', remember: 'session' },
  { key: 'e', label: 'Edit the plan first', kind: 'edit' },
  { key: 'n', label: 'No, go on planning', kind: 'deny' },
  { key: 'd', label: 'No, and say why', kind: 'deny-with-reason' },
];

const OTHER_RULE: ApprovalChoice = {
  key: 'r',
  label: 'Another rule for these',
  kind: 'other-rule',
};

const FLOW_LABELS: Readonly<Partial<Record<Remember, string>>> = {
  session: 'Yes, for this tool in this conversation',
};

/** `once` is always offered. */
export function approvalChoices({
  offers,
  flow,
  kept,
  plan,
}: Pick<PendingApproval, 'offers' | 'flow' | 'kept' | 'plan'>): readonly ApprovalChoice[] {
  if (plan !== undefined) return PLAN_CHOICES;
  const allowing = ALLOW_CHOICES.filter(
    ({ remember }) => remember === 'once' || offers.includes(remember),
  );
  const words = flow === undefined ? {} : FLOW_LABELS;
  const hasOthers = kept !== undefined && kept.rules.length > 1;
  return [
    ...allowing.map((choice) => ({ ...choice, label: words[choice.remember] ?? choice.label })),
    ...(hasOthers ? [OTHER_RULE] : []),
    ...OTHER_CHOICES,
  ];
}
