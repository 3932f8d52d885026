// The time from a key press until its character is on the screen: while an answer streams, at an idle prompt, and in a
// program that only echoes, which shows the cost of the terminal itself.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type ModelStep,
  startScriptedModelProcess,
  tempFolder,
  type TerminalScreen,
} from '@plugboard/testkit';
import { type Figure, figure, type Section } from '../measure/report.ts';
import { seededRandom } from '../measure/seeded-random.ts';
import { barePrompt } from '../places.ts';
import { chatOn, type ChatPlace, chatPlace, EMPTY_PROMPT, onScreen } from './chat-place.ts';
import { processorMs } from './processor-time.ts';

const MOST_MS = 16;
const TOKENS_PER_SECOND = 200;
const WORDS_OF_PARAGRAPH = 70;
/** Most prompts have one row. */
const KEYS_OF_LINE = 60;
const PAUSE_MS = { least: 15, most: 75 } as const;
const WARM_UP_KEYS = 30;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

interface TypingTimes {
  readonly times: readonly number[];
  /** Processor time of the program's processes for each key, including other work. */
  readonly processorMs: number | undefined;
}

export async function measureKeys(keys: number): Promise<Section> {
  await using folder = await tempFolder();
  const script = join(folder.path, 'script.json');
  writeFileSync(script, JSON.stringify({ turns: streams(keys) }));
  await using model = await startScriptedModelProcess(script);
  using place = chatPlace(`http://127.0.0.1:${model.port}`);
  console.error(`bench: pressing ${keys} keys at each of four prompts ...`);
  const bare = await atBarePrompt(place, keys);
  const idle = await atChat(place, keys, 'idle');
  const streaming = await atChat(place, keys, 'streaming');
  const endless = await atChat(place, keys, 'streaming');
  return {
    kind: 'figures',
    title: `chat: a key press until its character is on the screen, ${keys} keys`,
    rows: [
      ...rowsOf(`while ${TOKENS_PER_SECOND} tokens/s stream`, streaming, MOST_MS),
      ...rowsOf('while a paragraph streams that never ends', endless, MOST_MS),
      ...rowsOf('at an idle prompt', idle, undefined),
      ...rowsOf('at a program that only echoes', bare, undefined),
    ],
  };
}

/** One answer with paragraphs, and one without any line end. */
function streams(keys: number): readonly object[] {
  const seconds = 30 + ((keys + WARM_UP_KEYS) * (PAUSE_MS.most + MOST_MS)) / 1000;
  const tokens = Math.ceil(seconds * TOKENS_PER_SECOND);
  const perSecond = TOKENS_PER_SECOND;
  const paragraphs = Array.from({ length: tokens / WORDS_OF_PARAGRAPH }, (): ModelStep[] => [
    { kind: 'pace', tokens: WORDS_OF_PARAGRAPH, perSecond },
    { kind: 'text', text: '\n\n' },
  ]);
  return [paragraphs.flat(), [{ kind: 'pace', tokens, perSecond }]].map((steps) => ({
    kind: 'answer',
    steps,
  }));
}

async function atBarePrompt(place: ChatPlace, keys: number): Promise<TypingTimes> {
  await using screen = await onScreen([barePrompt], { cwd: place.folder, env: place.env });
  await screen.shows('❯');
  return await typeAt(screen, keys);
}

async function atChat(
  place: ChatPlace,
  keys: number,
  state: 'idle' | 'streaming',
): Promise<TypingTimes> {
  await using screen = await chatOn(place);
  await screen.shows(EMPTY_PROMPT);
  // When the servers appear, the drawing library has started.
  await screen.shows('servers');
  if (state === 'streaming') {
    screen.type('talk');
    await screen.shows('❯ talk');
    screen.press('enter');
    await screen.shows('word after the other');
  }
  return await typeAt(screen, keys);
}

async function typeAt(screen: TerminalScreen, keys: number): Promise<TypingTimes> {
  const random = seededRandom(1);
  const times: number[] = [];
  let line = '';
  let before: number | undefined;
  for (let key = -WARM_UP_KEYS; key < keys; key += 1) {
    if (key === 0) before = processorMs(screen.pid);
    if (line.length === KEYS_OF_LINE) {
      screen.press('ctrl+u');
      const gone = line;
      await screen.until((text) => !text.includes(gone));
      line = '';
    }
    const letter = LETTERS[Math.floor(random() * LETTERS.length)] ?? 'a';
    line += letter;
    const took = await timeKey(screen, letter, `❯ ${line}`);
    if (key >= 0) times.push(took);
    // Not synchronous with the frames of the program.
    await delay(PAUSE_MS.least + random() * (PAUSE_MS.most - PAUSE_MS.least));
  }
  const after = processorMs(screen.pid);
  const ran = before === undefined || after === undefined ? undefined : (after - before) / keys;
  return { times, processorMs: ran };
}

async function timeKey(screen: TerminalScreen, letter: string, shown: string): Promise<number> {
  const pressedAt = performance.now();
  screen.type(letter);
  await screen.until((text) => text.includes(shown));
  return performance.now() - pressedAt;
}

function rowsOf(
  name: string,
  { times, processorMs: ran }: TypingTimes,
  most: number | undefined,
): readonly Figure[] {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  const none = { kind: 'none' } as const;
  const target = most === undefined ? none : ({ kind: 'at-most', value: most } as const);
  const note = ran === undefined ? '' : `${ran.toFixed(1)} ms of the processor for each key`;
  return [
    figure({ name: `${name}: median`, value: at(0.5), unit: 'ms', target, note }),
    figure({ name: `${name}: 95 of 100`, value: at(0.95), unit: 'ms', target }),
    figure({ name: `${name}: slowest`, value: at(1), unit: 'ms', target: none }),
  ];
}
