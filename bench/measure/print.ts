// A report as text for people: a line about the machine, then a table per section.

import type { Report, Row, Section, Target } from './report.ts';

const HEADINGS = [
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

function sectionText({ title, unit, rounds, rows }: Section): string {
  const cells = [HEADINGS, ...rows.map(rowCells)];
  const widths = HEADINGS.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  const lines = cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
  return ['', `${title} (${unit}, ${rounds} rounds)`, ...lines].join('\n');
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
  switch (target.kind) {
    case 'at-most':
      return `<= ${target.value.toFixed(1)}`;
    case 'at-least':
      return `>= ${target.value.toFixed(1)}`;
    case 'none':
      return '';
    default:
      return target satisfies never;
  }
}
