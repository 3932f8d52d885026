// Replaces durations by fixed ones, so that a picture changes only if its content does. Pure.

import type { ScreenCell } from '@plugboard/testkit';

/** At the right end of a call, possibly after the length of its answer; and at the left end of the last line. */
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

/** Replaces the text from a column on, and keeps the style there. */
function written(row: Row, text: string, from: number): Row {
  const end = from + text.length;
  const look = row[end - 1];
  return row.map((cell, column) =>
    column < from || column >= end || look === undefined
      ? cell
      : { ...look, text: text[column - from] ?? '' },
  );
}
