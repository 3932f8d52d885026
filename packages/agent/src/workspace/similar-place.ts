// Finds the place in a text that is most similar to a given piece, for edits whose text is slightly wrong. The work is
// bounded for any input: a limited number of lines is compared, without their spaces. Pure.

export interface SimilarPlace {
  /** From 1, both included. */
  readonly startLine: number;
  readonly endLine: number;
  /** These lines, shortened. */
  readonly text: string;
  readonly difference: 'spaces' | 'words';
}

const MOST_LINES = 50_000;
const MOST_PIECE_LINES = 400;
/** A line that occurs more often is not significant. */
const MOST_PLACES_OF_LINE = 50;
const MOST_SHOWN_LINES = 20;
const LONGEST_SHOWN_LINE = 300;
const LONGEST_COMPARED = 200;
const LEAST_SIMILARITY = 0.5;

export function similarPlace(text: string, piece: string): SimilarPlace | undefined {
  const lines = text.split(/\r?\n/, MOST_LINES);
  const wanted = linesOfPiece(piece);
  const best = byEqualLines(lines, wanted) ?? byLikeLine(lines, wanted);
  if (best === undefined) return undefined;
  const { start, equal } = best;
  const end = Math.min(start + wanted.length, lines.length);
  const shown = lines.slice(start, Math.min(end, start + MOST_SHOWN_LINES));
  return {
    startLine: start + 1,
    endLine: end,
    text: shown.map((line) => line.slice(0, LONGEST_SHOWN_LINE)).join('\n'),
    difference: equal === wanted.length ? 'spaces' : 'words',
  };
}

function linesOfPiece(piece: string): readonly string[] {
  const lines = piece.split(/\r?\n/, MOST_PIECE_LINES);
  return lines.length > 1 && lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

interface Candidate {
  readonly start: number;
  readonly equal: number;
}

/** The place with most equal lines: each occurrence of a line votes for the beginning of the piece. */
function byEqualLines(lines: readonly string[], wanted: readonly string[]): Candidate | undefined {
  const places = placesOf(lines, new Set(wanted.map(squeeze)));
  const votes = new Map<number, number>();
  wanted.forEach((line, index) => {
    const squeezed = squeeze(line);
    if (squeezed === '') return;
    for (const place of places.get(squeezed) ?? []) {
      const start = Math.max(0, place - index);
      votes.set(start, (votes.get(start) ?? 0) + 1);
    }
  });
  let best: Candidate | undefined;
  for (const [start, equal] of votes) {
    const isBetter =
      best === undefined || equal > best.equal || (equal === best.equal && start < best.start);
    if (isBetter) best = { start, equal };
  }
  if (best === undefined) return undefined;
  const blank = wanted.filter((line) => squeeze(line) === '').length;
  return { start: best.start, equal: best.equal + blank };
}

function placesOf(
  lines: readonly string[],
  sought: ReadonlySet<string>,
): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  lines.forEach((line, index) => {
    const squeezed = squeeze(line);
    if (!sought.has(squeezed)) return;
    const found = places.get(squeezed) ?? [];
    if (found.length < MOST_PLACES_OF_LINE) found.push(index);
    places.set(squeezed, found);
  });
  return places;
}

/** If no line is equal: around the line that is most similar to the longest one of the piece. */
function byLikeLine(lines: readonly string[], wanted: readonly string[]): Candidate | undefined {
  const squeezed = wanted.map(squeeze);
  const longest = squeezed.reduce((a, b) => (b.length > a.length ? b : a), '');
  const pairs = pairsOf(longest);
  let best = { index: -1, similarity: LEAST_SIMILARITY };
  lines.forEach((line, index) => {
    const similarity = dice(pairs, pairsOf(squeeze(line)));
    if (similarity > best.similarity) best = { index, similarity };
  });
  if (best.index === -1) return undefined;
  return { start: Math.max(0, best.index - squeezed.indexOf(longest)), equal: 0 };
}

function squeeze(line: string): string {
  return line.slice(0, LONGEST_COMPARED).replaceAll(/\s+/g, '');
}

function pairsOf(text: string): ReadonlySet<string> {
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < text.length; at += 1) pairs.add(text.slice(at, at + 2));
  return pairs;
}

function dice(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let both = 0;
  for (const pair of a) if (b.has(pair)) both += 1;
  return (2 * both) / (a.size + b.size);
}
