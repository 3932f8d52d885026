// The results of `plugboard check`.

import { type Answered, type Deviation, deviationWords, type SavedCall } from '@plugboard/base';
import { oneLine } from './sanitise.ts';

/** A saved call and its outcome. */
export interface CheckedCall {
  readonly call: SavedCall;
  readonly answered: Answered;
  /** Why the call failed, if it did. */
  readonly problem: string | undefined;
  readonly deviations: readonly Deviation[];
}

export function checkedText({ call, answered, problem, deviations }: CheckedCall): string {
  const isPassed = deviations.length === 0;
  const lines = [
    `${isPassed ? 'ok  ' : 'FAIL'}  ${oneLine(call.name)} (${oneLine(call.server)}, ${answered.ms} ms)`,
    ...(isPassed ? [] : deviations.map((each) => `      ${oneLine(deviationWords(each))}`)),
    ...(isPassed || problem === undefined ? [] : [`      ${oneLine(problem)}`]),
  ];
  return `${lines.join('\n')}\n`;
}

export function checkSummary(checked: readonly CheckedCall[]): string {
  const failed = checked.filter(({ deviations }) => deviations.length > 0);
  if (checked.length === 0) return 'There are no saved calls to check.\n';
  const count = `${checked.length} ${checked.length === 1 ? 'call' : 'calls'}`;
  if (failed.length === 0) return `${count} checked, all as expected.\n`;
  const denied = failed.some(({ answered }) => answered.outcome === 'denied')
    ? 'To say yes to calls that no rule covers: plugboard check --yes\n'
    : '';
  return `${count} checked, ${failed.length} not as expected.\n${denied}`;
}
