// The decision about a call and the rule behind it, in words and as a table.

import type {
  Decision,
  Explanation,
  FlowSource,
  Ground,
  Rule,
  RuleMatch,
} from '@plugboard/host/decisions';
import { place, type Standpoint } from './place.ts';
import { type Column, table } from './table.ts';
import { visible } from './visible.ts';

const KINDS: Readonly<Record<Decision['kind'], string>> = {
  allow: 'runs without asking',
  ask: 'is asked about',
  deny: 'is denied',
};

export function explanationText(
  call: { readonly server: string; readonly tool: string },
  { decision, matches }: Explanation,
  { columns, from }: { readonly columns: number; readonly from: Standpoint },
): string {
  const head = `${visible(call.server)}/${visible(call.tool)} ${KINDS[decision.kind]}\n  because of ${groundWords(decision.because, from)}\n`;
  return matches.length === 0 ? head : `${head}\n${table(matchColumns(from), matches, columns)}`;
}

/** Continues a sentence after "because of". */
export function groundWords(ground: Ground, from: Standpoint): string {
  switch (ground.kind) {
    case 'rule':
      return `${ruleWords(ground.rule)}, ${whereOf(ground.rule, from)}`;
    case 'mode': {
      const { mode } = ground.stated;
      const instead =
        ground.instead === undefined
          ? ''
          : ` (else asked because of ${groundWords(ground.instead, from)})`;
      return `the mode "${mode}", ${whereOf(ground.stated, from)}${instead}`;
    }
    case 'flow':
      return `what was read before: private data (${sourceWords(ground.concern.private)}) and foreign text (${sourceWords(ground.concern.foreign)})`;
    case 'default':
      return DEFAULTS[ground.case];
    default:
      return ground satisfies never;
  }
}

function sourceWords({ server, tool }: FlowSource): string {
  return `${visible(server)}/${visible(tool)}`;
}

const DEFAULTS: Readonly<Record<Extract<Ground, { kind: 'default' }>['case'], string>> = {
  'no-rule': 'the default: no rule covers it',
  'built-in': 'the default for built-in servers',
  'ignored-file':
    'the default for files that an ignore file leaves out or that look like secrets (to allow them all: plugboard permissions codebase/read_file --allow)',
  'read-only': 'the setting "readOnlyTools": the server says that it only reads',
};

function ruleWords({ text, on }: Rule): string {
  return on.kind === 'unclear'
    ? `a rule that cannot be understood: ${visible(on.reason)}`
    : `the rule ${visible(text)}`;
}

function whereOf({ origin, scope }: Pick<Rule, 'origin' | 'scope'>, from: Standpoint): string {
  return `${visible(place(origin, from))} (${scope})`;
}

/** A table of all rules. */
export function rulesTable(
  rules: readonly Rule[],
  { columns, from }: { readonly columns: number; readonly from: Standpoint },
): string {
  return table(ruleColumns(from), rules, columns);
}

function ruleColumns(from: Standpoint): readonly Column<Rule>[] {
  return [
    { title: 'EFFECT', cell: ({ effect }) => effect },
    {
      title: 'RULE',
      cell: (rule) => (rule.on.kind === 'unclear' ? '(unclear)' : targetWords(rule)),
    },
    { title: 'SCOPE', cell: ({ scope }) => scope, from: 60 },
    { title: 'WRITTEN AT', cell: ({ origin }) => place(origin, from) },
  ];
}

/** A rule of an entry does not contain the name of its server. */
function targetWords({ on, text }: Rule): string {
  return 'server' in on && on.kind !== 'calls' ? `${on.server}: ${text}` : text;
}

const PARTS: Readonly<Record<RuleMatch['part'], string>> = {
  decides: 'decides',
  overruled: 'overruled',
  powerless: 'no effect: it may have come with the project',
};

function matchColumns(from: Standpoint): readonly Column<RuleMatch>[] {
  return [
    ...ruleColumns(from).map(({ title, cell, ...more }) => ({
      title,
      cell: ({ rule }: RuleMatch) => cell(rule),
      ...more,
    })),
    { title: 'PART', cell: ({ part }) => PARTS[part] },
  ];
}
