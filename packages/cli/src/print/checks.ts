// What `plugboard check` says about saved calls.

import type { Answered, Deviation, Json, SavedCall, ValueCheck } from '@plugboard/base';
import { oneLine } from './sanitise.ts';

interface Checked {
  readonly call: Pick<SavedCall, 'name' | 'server'>;
  readonly answered: Answered;
  readonly problem: string | undefined;
  readonly deviations: readonly Deviation[];
}

const LONGEST = 200;

export function checkedText({ call, answered, problem, deviations }: Checked): string {
  const isPassed = deviations.length === 0;
  const lines = [
    `${isPassed ? 'ok  ' : 'FAIL'}  ${oneLine(call.name)} (${oneLine(call.server)}, ${answered.ms} ms)`,
    ...(isPassed ? [] : deviations.map((each) => `      ${deviationText(each)}`)),
    ...(isPassed || problem === undefined ? [] : [`      ${oneLine(problem)}`]),
  ];
  return `${lines.join('\n')}\n`;
}

export function checkSummary(checked: readonly Checked[]): string {
  const failed = checked.filter(({ deviations }) => deviations.length > 0);
  if (checked.length === 0) return 'There are no saved calls to check.\n';
  const count = `${checked.length} ${checked.length === 1 ? 'call' : 'calls'}`;
  if (failed.length === 0) return `${count} checked, all as expected.\n`;
  const denied = failed.some(({ answered }) => answered.outcome === 'denied')
    ? 'To say yes to calls that no rule covers: plugboard check --yes\n'
    : '';
  return `${count} checked, ${failed.length} not as expected.\n${denied}`;
}

function deviationText(deviation: Deviation): string {
  switch (deviation.kind) {
    case 'outcome':
      return `the outcome is ${deviation.found}, and not ${deviation.expected}`;
    case 'slow':
      return `it took ${deviation.found} ms, and not at most ${deviation.expected}`;
    case 'value': {
      const { check, found } = deviation;
      const place = check.at === '' ? 'the result' : check.at;
      const is = found === undefined ? 'is not there' : `is ${shown(found)}`;
      return oneLine(`${place} ${is}; expected: ${expected(check)}`);
    }
    default:
      return deviation satisfies never;
  }
}

function expected(check: ValueCheck): string {
  if ('equals' in check) return shown(check.equals);
  if ('contains' in check) return `a text with ${shown(check.contains)}`;
  if ('type' in check) return `a value of type ${check.type}`;
  if ('length' in check) return `a length of ${check.length}`;
  return check.exists ? 'a value' : 'no value';
}

function shown(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
