// The delays of the chat for a person: the first prompt, a key press, resuming a long conversation, and the overhead of
// a turn over its model and tools.

import { measureKeys } from './chat/key-presses.ts';
import { measureLongTranscript, measurePrompt } from './chat/opening.ts';
import { measureTurns } from './chat/turns.ts';
import type { Section } from './measure/report.ts';

export const CHAT_PARTS = ['prompt', 'keys', 'long', 'turns'] as const;

type ChatPart = (typeof CHAT_PARTS)[number];

const MEASURES: Readonly<
  Record<ChatPart, { readonly rounds: number; readonly run: (rounds: number) => Promise<Section> }>
> = {
  prompt: { rounds: 30, run: measurePrompt },
  keys: { rounds: 240, run: measureKeys },
  long: { rounds: 10, run: measureLongTranscript },
  turns: { rounds: 50, run: measureTurns },
};

export async function benchmarkChat(
  parts: readonly string[],
  repeats: number | undefined,
): Promise<readonly Section[]> {
  const sections: Section[] = [];
  for (const part of CHAT_PARTS.filter((name) => parts.includes(name))) {
    const { rounds, run } = MEASURES[part];
    sections.push(await run(repeats ?? rounds));
  }
  return sections;
}
