// The overhead of a turn over its model and tools, from the key that sends a message until the last word of the answer
// is on the screen. Both reply at once. The time of the model is measured by the same requests without a chat, and
// subtracted; the time of the tools is negligible, and included.

import {
  type LiveTurn,
  type ScriptedModel,
  startScriptedModel,
  type TerminalScreen,
} from '@plugboard/testkit';
import { type Figure, figure, type Section } from '../measure/report.ts';
import { spreadOf } from '../measure/statistics.ts';
import { nodeUnderTest } from '../node-under-test.ts';
import { trustServers } from '../measure/trust.ts';
import { fastEchoServer } from '../places.ts';
import { chatOn, chatPlace, EMPTY_PROMPT } from './chat-place.ts';

const MOST_MS = 20;
const CALLS = 4;
const WARM_UPS = 10;
const SERVER = 'echo-server';

/** The arrival times of the requests; each is answered at once. */
type Arrivals = number[];

export async function measureTurns(rounds: number): Promise<Section> {
  const arrivals: Arrivals = [];
  await using model = await startScriptedModel();
  using place = chatPlace(model.url, {
    [SERVER]: { command: nodeUnderTest().path, args: [fastEchoServer] },
  });
  trustServers([SERVER], place);
  console.error(`bench: ${rounds} turns with ${CALLS} calls each, and as many without ...`);
  await using screen = await chatOn(place);
  await screen.shows(EMPTY_PROMPT);
  const turn = async (round: number, turns: readonly LiveTurn[]): Promise<Parts> => {
    arrivals.length = 0;
    model.addTurns(...turns.map((answer) => noted(answer, arrivals)));
    const words = { say: `turn ${round}`, until: `answer ${round}.` };
    const parts = await timeTurn(screen, words, arrivals);
    return { ...parts, model: await timeModel(model, turns) };
  };
  const plain: Parts[] = [];
  const calling: Parts[] = [];
  for (let round = -WARM_UPS; round < rounds; round += 1) {
    const [first, second] = [2 * round, 2 * round + 1].map((at) => at + 2 * WARM_UPS);
    const talked = await turn(first!, [`answer ${first}.`]);
    const called = await turn(second!, [calls(second!), `answer ${second}.`]);
    if (round < 0) continue;
    plain.push(talked);
    calling.push(called);
  }
  return {
    kind: 'figures',
    title: `chat: a turn on top of its model and its tools, ${rounds} turns`,
    rows: [
      rowOf('an answer without calls', plain),
      rowOf(`${CALLS} calls, then an answer`, calling),
    ],
  };
}

function calls(round: number): LiveTurn {
  const steps = Array.from({ length: CALLS }, (_, at) => ({
    kind: 'call' as const,
    tool: `mcp__${SERVER}__echo`,
    arguments: { message: `call ${round} ${at}` },
  }));
  return { kind: 'answer', steps };
}

function noted(turn: LiveTurn, arrivals: Arrivals): LiveTurn {
  return (request) => {
    arrivals.push(performance.now());
    return typeof turn === 'function' ? turn(request) : turn;
  };
}

/** Milliseconds. */
interface TurnParts {
  readonly whole: number;
  /** Until the first request to the model. */
  readonly asking: number;
  /** From then until the next request, with the results of the calls. */
  readonly calling: number;
  /** From then until the answer is on the screen. */
  readonly showing: number;
}

interface Parts extends TurnParts {
  /** The same requests without a chat; included in the others. */
  readonly model: number;
}

async function timeTurn(
  screen: TerminalScreen,
  { say, until }: { readonly say: string; readonly until: string },
  arrivals: Arrivals,
): Promise<TurnParts> {
  screen.type(say);
  await screen.shows(`❯ ${say}`);
  const sentAt = performance.now();
  screen.press('enter');
  await screen.shows(until);
  const shownAt = performance.now();
  // Turns must not overlap.
  await screen.until((text) => text.includes(EMPTY_PROMPT) && !/ \d+ s$/mu.test(text));
  const [first = sentAt, last = first] = [arrivals[0], arrivals.at(-1)];
  return {
    whole: shownAt - sentAt,
    asking: first - sentAt,
    calling: last - first,
    showing: shownAt - last,
  };
}

async function timeModel(model: ScriptedModel, turns: readonly LiveTurn[]): Promise<number> {
  const requests = model.requests.slice(-turns.length);
  let ms = 0;
  for (const [at, { path, text }] of requests.entries()) {
    const turn = turns[at];
    if (turn !== undefined) model.addTurns(turn);
    const askedAt = performance.now();
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${model.url}${path}`, { method: 'POST', headers, body: text });
    await answer.text();
    ms += performance.now() - askedAt;
  }
  return ms;
}

function rowOf(name: string, turns: readonly Parts[]): Figure {
  const median = (part: (turn: Parts) => number): string =>
    spreadOf(turns.map(part)).median.toFixed(1);
  const parts = (['whole', 'model', 'asking', 'calling', 'showing'] as const)
    .map((part) => `${part} ${median((turn) => turn[part])}`)
    .join(', ');
  return figure({
    name,
    value: spreadOf(turns.map(({ whole, model }) => whole - model)).median,
    unit: 'ms',
    target: { kind: 'at-most', value: MOST_MS },
    note: `medians: ${parts}`,
  });
}
