// Prints the judgement as tables, one for each set, and then the problems.

import type { JudgedScenario, JudgedSet, Judgement, Verdict } from './judge.ts';

const WORDS: Readonly<Record<Verdict, string>> = {
  green: 'green',
  failed: 'failed',
  'no-checks': 'no checks',
  'client-failed': 'the client failed',
};

export function toText(judgement: Judgement): string {
  return [
    ...judgement.sets.flatMap((set) => [...tableOf(set), '']),
    ...problemsOf(judgement),
    isSound(judgement) ? 'All green.' : 'NOT all green.',
  ].join('\n');
}

export function isSound({ red }: Judgement): boolean {
  return red.length === 0;
}

type Row = readonly [string, string, string, string, string];

function tableOf({ set, scenarios }: JudgedSet): readonly string[] {
  const rows: readonly Row[] = [
    ['scenario', 'passed', 'failed', 'warned', 'result'],
    ...scenarios.map(rowOf),
    totalsOf(scenarios),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, passed, failed, warned, result]) =>
    [
      name.padEnd(width),
      ...[passed, failed, warned].map((count) => count.padStart('passed'.length)),
      result,
    ].join('  '),
  );
  return [`== ${set}`, ...lines];
}

function rowOf(judged: JudgedScenario): Row {
  const { scenario, passed, failed, warned } = judged;
  return [scenario, `${passed}`, `${failed}`, `${warned}`, resultOf(judged)];
}

function resultOf({ verdict }: JudgedScenario): string {
  return verdict === 'green' ? WORDS[verdict] : `${WORDS[verdict]} <--`;
}

function totalsOf(scenarios: readonly JudgedScenario[]): Row {
  const sum = (key: 'passed' | 'failed' | 'warned'): string =>
    String(scenarios.reduce((total, judged) => total + judged[key], 0));
  const green = scenarios.filter(({ verdict }) => verdict === 'green').length;
  return [
    `${scenarios.length} scenarios`,
    sum('passed'),
    sum('failed'),
    sum('warned'),
    `${green} green`,
  ];
}

function problemsOf({ red }: Judgement): readonly string[] {
  return red.flatMap(({ set, scenario, reasons }) => [
    `${set}: ${scenario} is not green:`,
    ...reasons.map((reason) => `  ${reason}`),
  ]);
}
