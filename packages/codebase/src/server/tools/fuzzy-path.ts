// Ranks paths by how well they match what a person remembers: parts of names in order, the name of the file before its
// folders, beginnings of words before their inside, and misspelt names if nothing else matches. Pure.

import { editDistance } from '../../text/index.ts';

export interface FittingPath {
  readonly path: string;
  /** Higher is better; comparable within one answer. */
  readonly score: number;
}

const BOUNDARY = /[/._\- ]/;

export function fittingPaths(
  paths: Iterable<string>,
  asked: string,
  limit: number,
): readonly FittingPath[] {
  const words = asked
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const all = [...paths];
  const found = best(all, limit, (path) => scoreOf(path, words));
  if (found.length > 0 || words.length === 0) return found;
  return best(all, limit, (path) => misspeltScore(path, words));
}

function best(
  paths: readonly string[],
  limit: number,
  score: (path: string) => number,
): readonly FittingPath[] {
  return paths
    .map((path) => ({ path, score: score(path) }))
    .filter((one) => one.score > 0)
    .toSorted(
      (a, b) => b.score - a.score || a.path.length - b.path.length || (a.path < b.path ? -1 : 1),
    )
    .slice(0, limit);
}

/** 0 unless all words match. */
function scoreOf(path: string, words: readonly string[]): number {
  let sum = 0;
  for (const word of words) {
    const score = wordScore(path, word);
    if (score === 0) return 0;
    sum += score;
  }
  return sum;
}

const IN_NAME = 1000;
const IN_PATH = 500;
const IN_ORDER = 100;

function wordScore(path: string, word: string): number {
  const plain = path.toLowerCase();
  const name = plain.slice(plain.lastIndexOf('/') + 1);
  if (plain === word || plain.endsWith(`/${word}`)) return 2 * IN_NAME;
  const stem = name.replace(/\.[^.]*$/, '');
  if (stem === word || name === word) return IN_NAME + 800;
  const inName = name.indexOf(word);
  if (inName >= 0) return IN_NAME + startBonus(name, inName) - name.length;
  const inPath = plain.lastIndexOf(word);
  if (inPath >= 0) return IN_PATH + startBonus(plain, inPath) - Math.min(plain.length, 200);
  return inOrderScore(path, word);
}

function startBonus(text: string, at: number): number {
  return at === 0 || BOUNDARY.test(text.charAt(at - 1)) ? 200 : 0;
}

/** Scores letters that occur in order, more at beginnings of words and for adjacent letters; 0 if one is missing. */
function inOrderScore(path: string, word: string): number {
  const plain = path.toLowerCase();
  let score = IN_ORDER;
  let last = path.length;
  // From the end, so that the name of the file counts before its folders.
  for (let letter = word.length - 1; letter >= 0; letter -= 1) {
    const at = plain.lastIndexOf(word.charAt(letter), last - 1);
    if (at < 0 || last === 0) return 0;
    const isStart = at === 0 || BOUNDARY.test(path.charAt(at - 1)) || isHump(path, at);
    score += (isStart ? 4 : 0) + (at === last - 1 ? 3 : 0) - Math.min(3, (last - at) / 8);
    last = at;
  }
  return Math.max(1, score);
}

function isHump(path: string, at: number): boolean {
  const letter = path.charAt(at);
  return (
    letter !== letter.toLowerCase() && path.charAt(at - 1) === path.charAt(at - 1).toLowerCase()
  );
}

/** Compares only the name of the file; one letter in four may be wrong. */
function misspeltScore(path: string, words: readonly string[]): number {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const word = words.join('').replace(/.*\//, '');
  const stem = word.includes('.') ? name : name.replace(/\.[^.]*$/, '');
  const most = Math.floor(word.length / 4);
  const distance = most === 0 ? Infinity : editDistance(stem, word, most);
  return distance <= most ? 10 - distance : 0;
}
