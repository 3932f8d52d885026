// The text that a model gets about a script: the returned value and the log; and, if the script did not finish, where
// it stopped and which calls were made, may have been made, or were not made.

import type { CallRecord, LimitName, ScriptOutcome } from './script.ts';

const LIMITS: Readonly<Record<LimitName, string>> = {
  'run-time': 'its own code ran for too long',
  deadline: 'it took too long in all',
  sleep: 'it slept for too long',
  memory: 'it took too much memory',
  stack: 'its calls were nested too deeply',
  calls: 'it made too many calls',
  code: 'it is too long',
  result: 'what it returned is too long or too deep; return only what is needed',
  stalled: 'it waits for a promise that nothing settles',
};

export function outcomeText(outcome: ScriptOutcome): string {
  return [...headLines(outcome), ...logLines(outcome), ...callLines(outcome)].join('\n');
}

function headLines(outcome: ScriptOutcome): readonly string[] {
  switch (outcome.kind) {
    case 'done':
      return outcome.value === undefined ? [] : [JSON.stringify(outcome.value)];
    case 'failed': {
      const { name, message, line, column } = outcome.error;
      const place = line === 0 ? '' : ` at line ${line}, column ${column}`;
      return [`The script failed${place}: ${name}: ${message}`];
    }
    case 'limit':
      return [`The script was stopped: ${LIMITS[outcome.limit]}.`];
    case 'cancelled':
      return ['The script was cancelled.'];
    default:
      return outcome satisfies never;
  }
}

function logLines({ log, droppedLines }: ScriptOutcome): readonly string[] {
  if (log.length === 0 && droppedLines === 0) return [];
  const more = droppedLines === 0 ? [] : [`(${droppedLines} more lines)`];
  return ['', 'Log:', ...log, ...more];
}

/** Of a script that finished, only the failed calls and those that it did not await. */
function callLines({ kind, calls }: ScriptOutcome): readonly string[] {
  const groups = [
    kind === 'done' ? [] : lines('Calls made:', calls, 'done'),
    lines('Calls that failed:', calls, 'failed'),
    lines('Calls that may have been made:', calls, 'unfinished'),
    lines('Calls not made:', calls, 'not-started'),
  ];
  return groups.flat();
}

function lines(
  title: string,
  calls: readonly CallRecord[],
  state: CallRecord['state'],
): readonly string[] {
  const found = calls.flatMap((call, at) =>
    call.state === state
      ? [`${at + 1}. ${call.name}${call.message === '' ? '' : `: ${call.message}`}`]
      : [],
  );
  return found.length === 0 ? [] : ['', title, ...found];
}
