// One request to a model, tried again while nothing was said yet and the trouble is one that passes. It never throws,
// never waits in silence for longer than it may, and leaves no request running, whatever way it ends.

import {
  abortable,
  backoffDelay,
  type Clock,
  deadline,
  type Deadline,
  DeadlineExceeded,
  delay,
  type Random,
  stayAlive,
} from '@plugboard/base';
import type { ModelEvent, ModelFailure, ModelRequest } from '../conversation/index.ts';
import type { ToolSearchKind } from './choose-model.ts';
import { classifyFailure, type RequestFailure } from './classify-failure.ts';
import type { FitTools, ToolFitter } from './fit-tools.ts';
import type { Patience } from './patience.ts';
import { promptOf } from './prompt-of.ts';
import { AnswerReader, ENDED_EARLY, type StreamPart } from './read-answer.ts';
import { type RequestTools, requestTools } from './request-tools.ts';
import type { CallOptions, Vendor } from './vendor.ts';

export interface ModelConnection {
  readonly clock: Clock;
  readonly random: Random;
  readonly patience: Patience;
  readonly name: string;
  readonly vendor: Vendor;
  readonly fitter: ToolFitter;
  readonly secret: string;
  /** Natively until the provider refuses that. */
  readonly search: { kind: ToolSearchKind };
}

export async function* streamModel(
  connected: ModelConnection,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  for (let attempt = 1; ; attempt += 1) {
    const trouble = yield* oneAttempt(connected, request, signal);
    if (trouble === undefined) return;
    if (trouble.isRefusedSearch && !signal.aborted) {
      connected.search.kind = 'tools';
      continue;
    }
    const afterMs = signal.aborted ? undefined : waitBefore(attempt, trouble, connected);
    if (afterMs === undefined) {
      yield { kind: 'failed', failure: signal.aborted ? CANCELLED : trouble.failure };
      return;
    }
    yield { kind: 'retrying', afterMs, failure: trouble.failure };
    // Nothing else may be open between two requests, and a program that waits for the answer is not done.
    using _ = stayAlive();
    try {
      await delay(afterMs, connected.clock, signal);
    } catch {
      // Only the signal ends the wait early.
      yield { kind: 'failed', failure: CANCELLED };
      return;
    }
  }
}

const CANCELLED: ModelFailure = { kind: 'cancelled', message: 'cancelled' };

function waitBefore(
  attempt: number,
  trouble: RequestFailure,
  connected: ModelConnection,
): number | undefined {
  if (!trouble.isPassing) return undefined;
  const { backoff, longestWaitMs } = connected.patience;
  const usual = backoffDelay(attempt, backoff, connected.random);
  if (usual === undefined || (trouble.afterMs ?? 0) > longestWaitMs) return undefined;
  return Math.round(Math.max(usual, trouble.afterMs ?? 0));
}

interface Trouble extends RequestFailure {
  /** The provider, or a server in its place, may do better without its own tool search. */
  readonly isRefusedSearch: boolean;
}

/** Everything up to `finished`; otherwise the trouble, which passes only if nothing was said. */
async function* oneAttempt(
  connected: ModelConnection,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, Trouble | undefined> {
  using idle = deadline(connected.patience.idleMs, connected.clock, signal);
  let fit: FitTools | undefined;
  const { vendor, search, fitter } = connected;
  const tools = requestTools(request, search.kind === 'native' ? vendor : {});
  const reader = new AnswerReader({
    model: connected.name,
    restore: (tool, given) => fit?.restore(tool, given) ?? given,
  });
  const said = { reader, tools };
  const answer = new AbortController();
  const follow = (): void => answer.abort(idle.signal.reason);
  idle.signal.addEventListener('abort', follow, { once: true });
  if (idle.signal.aborted) follow();
  try {
    fit = fitter.fit(tools.tools);
    const options = tools.addTo(optionsOf(connected, request, answer.signal), fit.tools);
    for await (const part of streamParts(vendor, vendor.finish(options), idle)) {
      const reading = reader.read(tools.read(part));
      if (reading.kind === 'events') yield* reading.events;
      else if (reading.kind === 'finished') {
        const parts = reader.parts();
        const hasCalls = parts.some(({ kind }) => kind === 'call');
        const reason = reading.reason === 'stop' && hasCalls ? 'calls' : reading.reason;
        const message = { kind: 'assistant' as const, parts };
        yield { kind: 'finished', reason, message, usage: reading.usage };
        return undefined;
      } else if (reading.kind === 'broken') return troubleOf(broken(reading.message), said);
      else return troubleOf(classify(reading.error, connected), said);
    }
    return troubleOf(broken(ENDED_EARLY), said);
  } catch (thrown) {
    if (idle.signal.reason instanceof DeadlineExceeded) return troubleOf(silent(connected), said);
    return troubleOf(classify(thrown, connected), said);
  } finally {
    idle.signal.removeEventListener('abort', follow);
    // Also reached when the caller stops listening in the middle.
    answer.abort();
  }
}

function optionsOf(
  { name, vendor }: ModelConnection,
  { system, messages }: ModelRequest,
  abortSignal: AbortSignal,
): CallOptions {
  return {
    prompt: promptOf(system, messages, { ...vendor, name }),
    abortSignal,
    // Whatever the provider sends shows that it is still there, including what is not part of the answer.
    includeRawChunks: true,
  };
}

async function* streamParts(
  vendor: Vendor,
  options: CallOptions,
  idle: Deadline,
): AsyncGenerator<StreamPart> {
  const { stream } = await abortable(Promise.resolve(vendor.model.doStream(options)), idle.signal);
  const reader = stream.getReader();
  try {
    for (;;) {
      idle.restart();
      const { done, value } = await abortable(reader.read(), idle.signal);
      if (done) return;
      if (value.type !== 'raw') yield value;
    }
  } finally {
    // It may have failed already, and that was reported.
    reader.cancel().catch(() => {});
  }
}

function classify(thrown: unknown, { secret, clock }: ModelConnection): RequestFailure {
  return classifyFailure(thrown, clock.now(), secret);
}

function broken(message: string): RequestFailure {
  return { failure: { kind: 'broken-answer', message }, isPassing: true };
}

function silent({ patience }: ModelConnection): RequestFailure {
  const message = `no word from the provider for ${Math.round(patience.idleMs / 1000)} s`;
  return { failure: { kind: 'unreachable', message }, isPassing: true };
}

function troubleOf(
  trouble: RequestFailure,
  { reader, tools }: { readonly reader: AnswerReader; readonly tools: RequestTools },
): Trouble {
  // What was said cannot be taken back, and would be said twice.
  if (reader.hasSpoken) return { ...trouble, isPassing: false, isRefusedSearch: false };
  const isRefused = trouble.failure.kind === 'bad-request' && !trouble.isPassing;
  return { ...trouble, isRefusedSearch: isRefused && tools.kind === 'loading' };
}
