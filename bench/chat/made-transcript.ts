// Generates a stored conversation of a given length: questions, calls with results, and answers in markdown. Equal
// lengths give equal conversations.

import { type Message, Transcripts } from '@plugboard/agent';
import { systemClock } from '@plugboard/base';
import type { ChatPlace } from './chat-place.ts';

/** The first words of its last message. */
export const LAST_WORDS = 'This is where we stopped';
const MESSAGES_OF_TURN = 4;

export async function keepTranscript({ state, folder }: ChatPlace, length: number): Promise<void> {
  const transcripts = new Transcripts({ state, folder, clock: systemClock });
  const transcript = transcripts.begin('anthropic/claude-sonnet-4-5');
  for (let turn = 0; turn < length / MESSAGES_OF_TURN; turn += 1) {
    const isLast = turn + 1 >= length / MESSAGES_OF_TURN;
    for (const message of turnOf(turn, isLast ? `${LAST_WORDS}.\n\n` : '')) {
      transcript.add(message);
    }
  }
  await transcript.settled();
}

function turnOf(turn: number, words: string): readonly Message[] {
  const id = `call_${turn}`;
  const path = `src/part-${turn % 40}.ts`;
  const tool = 'mcp__codebase__read_file';
  return [
    { kind: 'user', parts: [{ kind: 'text', text: `What does \`part ${turn}\` do, and why?` }] },
    {
      kind: 'assistant',
      parts: [
        { kind: 'text', text: 'I look at the file first.' },
        { kind: 'call', id, tool, arguments: { path } },
      ],
    },
    {
      kind: 'tool',
      answers: [{ id, tool, isError: false, parts: [{ kind: 'text', text: codeOf(turn, 40) }] }],
    },
    { kind: 'assistant', parts: [{ kind: 'text', text: `${words}${answerOf(turn)}` }] },
  ];
}

function answerOf(turn: number): string {
  return [
    `It keeps **${turn} parts** in order, in three steps:`,
    '',
    '1. reads what is there, within *bounds*;',
    '2. compares it with what was there before;',
    '3. writes only what is different.',
    '',
    '```ts',
    codeOf(turn, 6),
    '```',
    '',
    `So an edit costs what it changes and not what the whole costs. See \`part-${turn % 40}.ts\`.`,
  ].join('\n');
}

function codeOf(turn: number, lines: number): string {
  return Array.from(
    { length: lines },
    (_, line) => `  const value${line} = compare(before[${turn}], after[${line}]);`,
  ).join('\n');
}
