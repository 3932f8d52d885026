// What a person may answer when they are asked about a call, with the key for each, in the order in which it is shown.

import type { Remember } from '@plugboard/host';
import type { AskedApproval } from '../../chat/index.ts';

export type ApprovalChoice = { readonly key: string; readonly label: string } & (
  | { readonly kind: 'allow'; readonly remember: Remember }
  | { readonly kind: 'edit' | 'deny' | 'deny-with-reason' }
);

type AllowChoice = Extract<ApprovalChoice, { readonly kind: 'allow' }>;

const ALLOWING: readonly AllowChoice[] = [
  { key: 'y', label: 'Yes, once', kind: 'allow', remember: 'once' },
  { key: 'c', label: 'Yes, for this tool in this script', kind: 'allow', remember: 'script' },
  { key: 's', label: 'Yes, for this session', kind: 'allow', remember: 'session' },
  { key: 'a', label: 'Always', kind: 'allow', remember: 'always' },
  { key: 'h', label: 'Always, in this project', kind: 'allow', remember: 'always-here' },
];

const OTHERS: readonly ApprovalChoice[] = [
  { key: 'e', label: 'Edit the arguments first', kind: 'edit' },
  { key: 'n', label: 'No', kind: 'deny' },
  { key: 'd', label: 'No, and say why', kind: 'deny-with-reason' },
];

/** The question shows one command, and such a yes is for all that come: that must be seen. */
const COMMANDS: Readonly<Partial<Record<Remember, string>>> = {
  session: 'Yes, any command for this session',
  always: 'Always, any command',
  'always-here': 'Always, any command in this project',
};

const FLOWS: Readonly<Partial<Record<Remember, string>>> = {
  session: 'Yes, for this tool in this conversation',
};

/** Once is always on offer. */
export function approvalChoices({
  server,
  tool,
  offers,
  flow,
}: Pick<AskedApproval, 'server' | 'tool' | 'offers' | 'flow'>): readonly ApprovalChoice[] {
  const words =
    flow !== undefined ? FLOWS : server === 'workspace' && tool === 'run_command' ? COMMANDS : {};
  const allowing = ALLOWING.filter(
    ({ remember }) => remember === 'once' || offers.includes(remember),
  );
  return [
    ...allowing.map((choice) => ({ ...choice, label: words[choice.remember] ?? choice.label })),
    ...OTHERS,
  ];
}
