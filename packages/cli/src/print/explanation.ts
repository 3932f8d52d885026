// Explains a server on one screen: why it may not be used, every field with its place and the values that it overrides, and
// every entry with the server's name.

import type { AdmittedServer, FieldReport, SourceReport } from '@plugboard/host/configuration';
import type { Output } from '../terminal.ts';
import { admissionWords } from './admission-words.ts';
import { fieldText, fieldTitle } from './field-value.ts';
import { paint } from './paint.ts';
import { place, type Standpoint } from './place.ts';
import { grid } from './table.ts';
import { visible } from './visible.ts';
import { widthOf } from './width.ts';

export interface Explanation {
  readonly name: string;
  readonly state: string;
  readonly admission: AdmittedServer['admission'] | undefined;
  readonly fields: readonly FieldReport[];
  readonly sources: readonly SourceReport[];
  /** The name in the file, if that name is invalid and was replaced. */
  readonly writtenAs: string | undefined;
}

export function explanationText(shown: Explanation, out: Output, from: Standpoint): string {
  const { name, state, admission, fields, sources, writtenAs } = shown;
  const why = admission === undefined ? undefined : admissionWords(name, admission, from);
  const remarks = [
    ...(writtenAs === undefined ? [] : [`written as ${JSON.stringify(visible(writtenAs))}`]),
    ...(why === undefined ? [] : [why]),
  ];
  const entries = sources.map((source) => [sourcePlace(source, from), PARTS[source.part]]);
  const lines = fields.flatMap((field) => fieldRows(field, from));
  const parts = [
    `${paint(out, 'bold', visible(name))}: ${state}\n${remarks.map((words) => `  ${words}\n`).join('')}`,
    tableRows(['ENTRY, STRONGEST FIRST', 'PART'], entries, out.columns),
    ...(lines.length === 0 ? [] : [tableRows(['FIELD', 'VALUE', 'FROM'], lines, out.columns)]),
    ...lossNotes(fields),
  ];
  return parts.join('\n');
}

function lossNotes(fields: readonly FieldReport[]): readonly string[] {
  const reasons = new Set(fields.flatMap(({ lost }) => lost.map(({ why }) => why)));
  const notes = (['weaker', 'replaced', 'withheld'] as const).filter((why) => reasons.has(why));
  return notes.length === 0 ? [] : [notes.map((why) => `${LOSSES[why]}\n`).join('')];
}

type Row = readonly string[];

/** One line per row if the screen is wide enough, otherwise one line per cell. */
function tableRows(titles: Row, rows: readonly Row[], screen: number): string {
  const all = [titles, ...rows];
  const widths = titles.map((_, column) =>
    Math.max(...all.map((row) => widthOf(row[column] ?? ''))),
  );
  const needed = widths.reduce((sum, width) => sum + width + GAP, -GAP);
  if (needed <= screen) return grid(all, screen);
  // Lines may be wider than the screen, so that values can be read and copied whole.
  return rows
    .flatMap((row) =>
      row.flatMap((cell, depth) => (cell === '' ? [] : [`${' '.repeat(depth * GAP)}${cell}`])),
    )
    .map((line) => `${line}\n`)
    .join('');
}

/** Columns between cells, and the indentation of cells that are below each other. */
const GAP = 2;

function fieldRows({ path, value, rule, from, lost }: FieldReport, at: Standpoint): readonly Row[] {
  const rows = [
    ...(from.length > 1 ? [[combinedValue(path, rule, value), COMBINED[rule]]] : []),
    ...from.map((source) => [fieldShown(path, source.value), sourcePlace(source, at)]),
    ...lost.map((source) => [
      fieldShown(path, source.value),
      `${sourcePlace(source, at)}, ${LOST[source.why]}`,
    ]),
  ];
  return rows.map((row, index) => [index === 0 ? visible(fieldTitle(path)) : '', ...row]);
}

function fieldShown(path: FieldReport['path'], value: unknown): string {
  return visible(fieldText(path, value));
}

function sourcePlace(
  { origin, scope }: Pick<SourceReport, 'origin' | 'scope'>,
  at: Standpoint,
): string {
  return `${visible(place(origin, at))} (${scope})`;
}

/** Empty for lists that are not combined into one value. */
function combinedValue(
  path: FieldReport['path'],
  rule: FieldReport['rule'],
  value: unknown,
): string {
  return rule === 'all' ? '' : fieldShown(path, value);
}

/** How several values of one field are combined. */
const COMBINED: Readonly<Record<FieldReport['rule'], string>> = {
  strongest: '',
  unite: 'all of these together:',
  all: 'only what is in each of these:',
  strictest: 'the strictest of these:',
  least: 'the least of these:',
};

type LossReason = FieldReport['lost'][number]['why'];

const LOST: Readonly<Record<LossReason, string>> = {
  weaker: 'overruled',
  replaced: 'replaced',
  withheld: 'withheld',
};

const LOSSES: Readonly<Record<LossReason, string>> = {
  weaker: 'overruled: a stronger entry says otherwise.',
  replaced: 'replaced: a stronger entry sets what is started or reached.',
  withheld:
    'withheld: a file of this folder or a plugin decides where it would go; plugboard trust NAME --give gives it.',
};

const PARTS: Readonly<Record<SourceReport['part'], string>> = {
  defines: 'defines the server',
  patches: 'sets some fields',
  hidden: 'has no effect',
  broken: 'cannot be understood',
};
