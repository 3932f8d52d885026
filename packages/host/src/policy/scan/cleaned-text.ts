// Removes invisible characters from a text for a model, so that it reads exactly what the user was shown. Reports the
// removed characters. Pure.

import { hiddenPlaces } from './hidden-characters.ts';

export interface CleanedText {
  readonly text: string;
  /** The removed characters, most frequent first. */
  readonly removed: readonly RemovedCharacter[];
}

export interface RemovedCharacter {
  /** `U+200B`. */
  readonly name: string;
  readonly count: number;
}

/** Line breaks become `\n`. Characters of ordinary text stay: joiners in emoji, direction marks in Hebrew. */
export function cleanedText(text: string): CleanedText {
  const lines = text.replaceAll(/\r\n?/gu, '\n');
  const counts = new Map<string, number>();
  let cleaned = '';
  let from = 0;
  for (const at of hiddenPlaces(lines)) {
    const code = lines.codePointAt(at) ?? 0;
    const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    cleaned += lines.slice(from, at);
    from = at + (code > 0xffff ? 2 : 1);
  }
  const removed = [...counts].map(([name, count]) => ({ name, count }));
  return {
    text: cleaned + lines.slice(from),
    removed: removed.toSorted((a, b) => b.count - a.count),
  };
}
