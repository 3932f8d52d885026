// Why a server is what it is, on one screen: what hides it, every field with the place it comes from and
// what lost against it, and every entry of its name.

import type { AdmittedServer, FieldReport, SourceReport } from '@plugboard/host/configuration';
import type { Output } from '../terminal.ts';
import { blockingRule } from './blocking-rule.ts';
import { fieldTitle, fieldValue } from './field-value.ts';
import { paint } from './paint.ts';
import { place, type Standpoint } from './place.ts';
import { grid } from './table.ts';
import { visible } from './visible.ts';

export interface Explanation {
  readonly name: string;
  readonly state: string;
  readonly admission: AdmittedServer['admission'] | undefined;
  readonly fields: readonly FieldReport[];
  readonly sources: readonly SourceReport[];
}

export function explanationText(shown: Explanation, out: Output, from: Standpoint): string {
  const { name, state, admission, fields, sources } = shown;
  const why = admission === undefined ? undefined : admissionWords(name, admission, from);
  // Without end: what is asked for by name is shown whole.
  const rows = (lines: readonly (readonly string[])[]): string =>
    grid(lines, Number.POSITIVE_INFINITY);
  const parts = [
    `${paint(out, 'bold', name)}: ${state}\n`,
    ...(why === undefined ? [] : [`${why}\n`]),
    `\n${rows([['FIELD', 'VALUE', 'FROM'], ...fields.flatMap((field) => fieldRows(field, from))])}`,
    `\n${rows([['ENTRY', 'PART'], ...sources.map((source) => sourceRow(source, from))])}`,
  ];
  return parts.join('');
}

export function admissionWords(
  name: string,
  admission: AdmittedServer['admission'],
  from: Standpoint,
): string | undefined {
  switch (admission.kind) {
    case 'admitted':
      return undefined;
    case 'blocked':
      return `${blockingRule(admission.rule, from)} (${admission.rule.scope})`;
    case 'suppressed':
      return `suppressed by "${admission.by}", which runs or reaches the same`;
    case 'untrusted':
      return admission.standing.kind === 'changed'
        ? `changed since you trusted it; look at it again: plugboard trust ${name}`
        : `it came with this folder or a plugin and starts once you trust it: plugboard trust ${name}`;
    default:
      return admission satisfies never;
  }
}

type Row = readonly string[];

function fieldRows({ path, value, rule, from, lost }: FieldReport, at: Standpoint): readonly Row[] {
  const title = fieldTitle(path);
  const isAlone = rule === 'strongest' || from.length === 1;
  const counting = from.map((source, index): Row => [
    index === 0 ? title : '',
    visible(fieldValue(path, isAlone && rule === 'strongest' ? value : source.value)),
    `${RULES[rule](from.length)}${visible(place(source.origin, at))} (${source.scope})`,
  ]);
  const losing = lost.map((source, index): Row => [
    from.length === 0 && index === 0 ? title : '',
    visible(fieldValue(path, source.value)),
    `${LOST[source.why]} ${visible(place(source.origin, at))} (${source.scope})`,
  ]);
  return [...counting, ...losing];
}

/** What several statements of one field come to. */
const RULES: Readonly<Record<FieldReport['rule'], (count: number) => string>> = {
  strongest: () => '',
  unite: (count) => (count > 1 ? 'and ' : ''),
  all: (count) => (count > 1 ? 'and ' : ''),
  strictest: (count) => (count > 1 ? 'the strictest of ' : ''),
};

const LOST = { weaker: 'lost:', replaced: 'replaced:' } as const;

function sourceRow({ scope, origin, part }: SourceReport, at: Standpoint): Row {
  return [`${visible(place(origin, at))} (${scope})`, PARTS[part]];
}

const PARTS: Readonly<Record<SourceReport['part'], string>> = {
  defines: 'defines the server',
  patches: 'changes it',
  hidden: 'has no effect',
  broken: 'cannot be understood',
};
