// How long things took differs from run to run. In a picture every time is the same one, so that a picture changes only
// when what it shows does. Pure.

import type { ScreenCell } from '@plugboard/testkit';

/** At the right end of a call, perhaps with how long its answer is, and at the left end of the last line. */
const OF_CALL = /(?<=\s)(?<lines>[\d.]+k? lines? · )?[\d.]+ m?s$/u;
const OF_TURN = /^\s*\w+ (?<seconds>\d) s(?=\s)/u;
const TIMES = ['14 ms', '8 ms', '21 ms'];
const SECONDS = '3';

type Row = readonly ScreenCell[];

export function withoutTimes(rows: readonly Row[]): readonly Row[] {
  let calls = 0;
  return rows.map((row) => {
    const text = row
      .map((cell) => (cell.text === '' ? ' ' : cell.text))
      .join('')
      .trimEnd();
    const ofCall = OF_CALL.exec(text);
    if (ofCall !== null) {
      const shown = `${ofCall.groups?.['lines'] ?? ''}${TIMES[calls % TIMES.length]}`;
      calls += 1;
      return written(row, shown.padStart(ofCall[0].length), text.length - ofCall[0].length);
    }
    const ofTurn = OF_TURN.exec(text);
    return ofTurn === null ? row : written(row, SECONDS, ofTurn[0].length - ' s'.length - 1);
  });
}

/** With another text from this column on, in the look that stands there. */
function written(row: Row, text: string, from: number): Row {
  const end = from + text.length;
  const look = row[end - 1];
  return row.map((cell, column) =>
    column < from || column >= end || look === undefined
      ? cell
      : { ...look, text: text[column - from] ?? '' },
  );
}
