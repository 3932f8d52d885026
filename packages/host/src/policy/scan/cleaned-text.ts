// A text for a model, without the characters that a person does not see: what was shown to them is what it reads. Says which
// were taken out. Pure.

import { hiddenPlaces } from './hidden-characters.ts';

export interface CleanedText {
  readonly text: string;
  /** What was taken out, most first. */
  readonly removed: readonly RemovedCharacter[];
}

export interface RemovedCharacter {
  /** `U+200B`. */
  readonly name: string;
  readonly count: number;
}

/** Ends of lines become `\n`. What belongs to ordinary writing stays: joiners in emoji, marks of direction in Hebrew. */
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
