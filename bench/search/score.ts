// Scores an answer by the ranks of the expected files. Hits are chunks, so a file with two hits takes two ranks.

export interface Score {
  readonly ndcg: number;
  readonly hit1: number;
  readonly hit5: number;
}

const PLACES = 10;

/** `paths` are the files of the hits, best first. */
export function scoreOf(paths: readonly string[], relevant: readonly string[]): Score {
  const places = relevant
    .map((path) => paths.slice(0, PLACES).indexOf(path))
    .filter((at) => at >= 0);
  const gained = places.reduce((sum, place) => sum + gainAt(place), 0);
  const most = relevant.slice(0, PLACES).reduce((sum, _, place) => sum + gainAt(place), 0);
  const first = Math.min(...places);
  return { ndcg: most === 0 ? 0 : gained / most, hit1: first < 1 ? 1 : 0, hit5: first < 5 ? 1 : 0 };
}

function gainAt(place: number): number {
  return 1 / Math.log2(place + 2);
}

export function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
