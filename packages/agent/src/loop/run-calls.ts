// Runs the calls of one message: read-only calls in parallel, all others one by one, in order. Each call gets an answer,
// even if it fails or the turn is aborted.

import { type Clock, messageOf, Semaphore } from '@plugboard/base';
import type {
  AgentEvent,
  CallProgress,
  Toolbox,
  ToolAnswer,
  ToolCall,
  ToolMessage,
  ToolOffer,
} from '../conversation/index.ts';
import { textAnswer } from '../conversation/index.ts';
import type { RepeatedFailures } from './repeated-failures.ts';
import { EventQueue } from './event-queue.ts';

export interface CallRun {
  readonly agent: string;
  readonly toolbox: Toolbox;
  readonly offer: ToolOffer;
  readonly clock: Clock;
  readonly parallelCalls: number;
  readonly failures: RepeatedFailures;
  readonly signal: AbortSignal;
}

const CANCELLED = 'The user stopped this call. What it did until then is not known.';
const NOT_BEGUN = 'Not called: the user stopped the turn first.';
/** How long to wait for a call that ignores its signal. */
const GRACE_MS = 2000;

export async function* runCalls(
  calls: readonly ToolCall[],
  run: CallRun,
): AsyncGenerator<AgentEvent, ToolMessage> {
  const queue = new EventQueue<AgentEvent>();
  // If the caller stops, the calls are cancelled, too.
  const left = new AbortController();
  const signal = AbortSignal.any([run.signal, left.signal]);
  const work = runInOrder(calls, { ...run, signal, emit: queue.push });
  let isOver = false;
  try {
    const answers = yield* queue.until(work);
    isOver = true;
    return { kind: 'tool', answers };
  } finally {
    if (!isOver) {
      left.abort();
      await work;
    }
  }
}

interface EmittingCallRun extends CallRun {
  readonly emit: (event: AgentEvent) => void;
}

async function runInOrder(
  calls: readonly ToolCall[],
  run: EmittingCallRun,
): Promise<readonly ToolAnswer[]> {
  const answers: ToolAnswer[] = [];
  for (const group of groupsOf(calls, run.offer)) {
    const places = new Semaphore(run.parallelCalls);
    const whole = new AbortController().signal;
    const done = group.map((call) => places.run(whole, () => runOne(call, run)));
    answers.push(...(await Promise.all(done)));
  }
  return answers;
}

/** Adjacent read-only calls form one group; every other call is its own group. */
function groupsOf(calls: readonly ToolCall[], offer: ToolOffer): readonly (readonly ToolCall[])[] {
  const groups: ToolCall[][] = [];
  let reading: ToolCall[] | undefined;
  for (const call of calls) {
    const isReading = offer.describe(offer.resolve(call).tool)?.isReadOnly === true;
    if (isReading && reading !== undefined) {
      reading.push(call);
      continue;
    }
    const group = [call];
    groups.push(group);
    reading = isReading ? group : undefined;
  }
  return groups;
}

async function runOne(call: ToolCall, run: EmittingCallRun): Promise<ToolAnswer> {
  const { agent, clock, failures, offer, emit, signal } = run;
  const { id } = call;
  if (signal.aborted) {
    const answer = textAnswer(call, NOT_BEGUN, 'error');
    emit({ agent, kind: 'call-ended', id, answer, ms: 0 });
    return answer;
  }
  const resolved = offer.resolve(call);
  const { server, title } = offer.describe(resolved.tool) ?? { server: '', title: resolved.tool };
  const begin = clock.elapsed();
  const { tool, arguments: given } = resolved;
  emit({ agent, kind: 'call-started', id, tool, server, title, arguments: given });
  const refused = unreadableAnswer(call) ?? failures.refusal(call);
  const answer = refused ?? (await runInToolbox(call, run));
  if (refused === undefined && !signal.aborted) failures.add(call, answer);
  emit({ agent, kind: 'call-ended', id, answer, ms: clock.elapsed() - begin });
  return answer;
}

function unreadableAnswer(call: ToolCall): ToolAnswer | undefined {
  if (call.unreadable === undefined) return undefined;
  const why = `Not called: its arguments could not be read (${call.unreadable}). Make the call again, with one JSON object that is complete.`;
  return textAnswer(call, why, 'error');
}

async function runInToolbox(call: ToolCall, run: EmittingCallRun): Promise<ToolAnswer> {
  const { agent, toolbox, emit, signal } = run;
  const { id, tool } = call;
  const settings = {
    signal,
    asker: agent,
    onEvent: emit,
    onProgress: (progress: CallProgress) => emit({ agent, kind: 'call-progress', id, progress }),
  };
  using timeout = abortTimeout(GRACE_MS, run);
  try {
    const running = toolbox.run(call, settings);
    const answer = await Promise.race([running, timeout.over]);
    return answer === undefined ? textAnswer(call, CANCELLED, 'error') : { ...answer, id, tool };
  } catch (thrown) {
    const why = signal.aborted ? CANCELLED : `The call broke: ${messageOf(thrown)}`;
    return textAnswer(call, why, 'error');
  }
}

interface AbortTimeout extends Disposable {
  readonly over: Promise<undefined>;
}

/** Resolves `ms` after the signal has aborted. */
function abortTimeout(ms: number, { clock, signal }: EmittingCallRun): AbortTimeout {
  let timer: Disposable | undefined;
  let begin: () => void = () => {};
  const over = new Promise<undefined>((resolve) => {
    begin = () => {
      timer = clock.after(ms, () => resolve(undefined));
    };
    signal.addEventListener('abort', begin, { once: true });
  });
  return {
    over,
    [Symbol.dispose]() {
      signal.removeEventListener('abort', begin);
      timer?.[Symbol.dispose]();
    },
  };
}
