// A report as text for people: a line about the machine, then a table per section.

import type { Figure, Report, Row, Section, Target } from './report.ts';

const COMPARISON_HEADINGS = [
  '',
  'median',
  'against',
  'median',
  'ratio',
  '25%-75%',
  '95% interval',
  'target',
  '',
];
const FIGURE_HEADINGS = ['', 'value', 'target', '', ''];

export function toText(report: Report): string {
  const { machine, versions, sections, skipped } = report;
  return [
    `${report.benchmark}: ${list(machine)}`,
    list(versions),
    ...sections.map(sectionText),
    ...skipped.map((reason) => `skipped: ${reason}`),
    '',
  ].join('\n');
}

function list(facts: Readonly<Record<string, string | number>>): string {
  return Object.entries(facts)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}

function sectionText(section: Section): string {
  switch (section.kind) {
    case 'comparison':
      return [
        '',
        `${section.title} (${section.unit}, ${section.rounds} rounds)`,
        ...tableLines([COMPARISON_HEADINGS, ...section.rows.map(rowCells)]),
      ].join('\n');
    case 'figures':
      return [
        '',
        section.title,
        ...tableLines([FIGURE_HEADINGS, ...section.rows.map(figureCells)]),
      ].join('\n');
    case 'table':
      return [
        '',
        section.title,
        ...tableLines([section.headings, ...section.rows.map((row) => row.map(String))]),
      ].join('\n');
    default:
      return section satisfies never;
  }
}

function tableLines(cells: readonly (readonly string[])[]): readonly string[] {
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
}

function figureCells({ name, value, unit, target, verdict, note }: Figure): readonly string[] {
  return [
    name,
    `${plain(value)} ${unit}`.trimEnd(),
    target.kind === 'none' ? '' : `${SIGNS[target.kind]} ${plain(target.value)} ${unit}`.trimEnd(),
    verdict === 'no target' ? '' : verdict,
    note,
  ];
}

const SIGNS = { 'at-most': '<=', 'at-least': '>=' } as const;

function plain(value: number): string {
  if (Number.isInteger(value)) return value.toString();
  // Shares and their differences need more than one digit.
  return value.toFixed(Math.abs(value) < 1 ? 3 : 1);
}

function rowCells(row: Row): readonly string[] {
  const { ratio, verdict } = row;
  return [
    row.subject,
    figure(row.subjectSpread.median),
    row.baseline,
    figure(row.baselineSpread.median),
    ratio.median.toFixed(2),
    range(ratio.p25, ratio.p75),
    range(ratio.low, ratio.high),
    targetText(row.target),
    verdict === 'no target' ? '' : verdict,
  ];
}

function figure(value: number): string {
  return value >= 1000 ? Math.round(value).toString() : value.toFixed(1);
}

function range(low: number, high: number): string {
  return `${low.toFixed(2)}-${high.toFixed(2)}`;
}

function targetText(target: Target): string {
  return target.kind === 'none' ? '' : `${SIGNS[target.kind]} ${target.value.toFixed(1)}`;
}
