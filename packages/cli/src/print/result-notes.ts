// Separates a server's answer from the host's notes about it, so that a program that reads the answer gets nothing else.

import { type Part, toText } from '@plugboard/host';
import type { Output } from '../terminal.ts';
import { oneLine } from './sanitise.ts';

export interface AnswerAndNotes {
  /** The answer of the server. */
  readonly parts: readonly Part[];
  readonly answer: string;
  readonly notes: readonly string[];
}

export function answerAndNotes(parts: readonly Part[]): AnswerAndNotes {
  const answered: Part[] = [];
  const notes: string[] = [];
  for (const part of parts) {
    if (part.kind === 'note') {
      notes.push(part.text);
    } else if (part.kind === 'structured' && part.problems !== undefined) {
      const wrong = part.problems.map(({ path, message }) => `${path} ${message}`.trim());
      answered.push({ kind: 'structured', value: part.value });
      notes.push(`the result is not what the tool's output schema promises: ${wrong.join('; ')}`);
    } else {
      answered.push(part);
    }
  }
  return { parts: answered, answer: toText(answered), notes };
}

export function writeNotes(err: Output, notes: readonly string[]): void {
  for (const note of notes) err.write(`note: ${oneLine(note)}\n`);
}
