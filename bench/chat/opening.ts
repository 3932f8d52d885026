// The time until a person can type: in a new conversation, in a resumed short one, and in a resumed long one, with its last
// message on the screen.

import { startScriptedModel } from '@plugboard/testkit';
import { timeCommand } from '../measure/command.ts';
import { compare, figure, type Section } from '../measure/report.ts';
import { runRounds } from '../measure/rounds.ts';
import { spreadOf } from '../measure/statistics.ts';
import { nodeUnderTest } from '../node-under-test.ts';
import { chatPlace, EMPTY_PROMPT, timeUntilShown } from './chat-place.ts';
import { keepTranscript, LAST_WORDS } from './made-transcript.ts';

const WARM_UPS = 2;
const MOST_TIMES_NODE = 4;
const MOST_MS_OF_LONG = 1000;
const SHORT = 8;
const LONG = 2000;

export async function measurePrompt(rounds: number): Promise<Section> {
  await using model = await startScriptedModel();
  using fresh = chatPlace(model.url);
  using taken = chatPlace(model.url);
  await keepTranscript(taken, SHORT);
  const node = {
    name: 'node -e 0',
    node: nodeUnderTest().path,
    args: ['-e', '0'],
    cwd: fresh.folder,
    env: fresh.env,
    says: '',
  };
  const contenders = [
    { name: 'node -e 0', turn: () => timeCommand(node) },
    { name: 'plugboard chat', turn: () => timeUntilShown(fresh, [], [EMPTY_PROMPT]) },
    { name: 'chat --continue', turn: () => timeUntilShown(taken, ['--continue'], [EMPTY_PROMPT]) },
  ];
  for (let warmUp = 0; warmUp < WARM_UPS; warmUp += 1) {
    for (const { turn } of contenders) await turn();
  }
  console.error(`bench: opening a chat ${rounds} times, and one that is taken up again ...`);
  const samples = await runRounds(contenders, rounds);
  const against = {
    baseline: 'node -e 0',
    target: { kind: 'at-most', value: MOST_TIMES_NODE },
  } as const;
  return {
    kind: 'comparison',
    title: 'chat: until the prompt is on the screen',
    unit: 'ms',
    rounds,
    rows: [
      compare(samples, { ...against, subject: 'plugboard chat' }),
      compare(samples, { ...against, subject: 'chat --continue' }),
    ],
  };
}

export async function measureLongTranscript(rounds: number): Promise<Section> {
  await using model = await startScriptedModel();
  using place = chatPlace(model.url);
  await keepTranscript(place, LONG);
  const wanted = [LAST_WORDS, EMPTY_PROMPT];
  await timeUntilShown(place, ['--continue'], wanted);
  console.error(`bench: taking up a conversation of ${LONG} messages ${rounds} times ...`);
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    times.push(await timeUntilShown(place, ['--continue'], wanted));
  }
  return {
    kind: 'figures',
    title: `chat: a conversation of ${LONG} messages is taken up again`,
    rows: [
      figure({
        name: 'until its last message and the prompt are on the screen',
        value: spreadOf(times).median,
        unit: 'ms',
        target: { kind: 'at-most', value: MOST_MS_OF_LONG },
        note: `median of ${rounds}; quickest ${Math.min(...times).toFixed(0)}, slowest ${Math.max(...times).toFixed(0)}`,
      }),
    ],
  };
}
