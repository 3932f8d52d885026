// Sends one request to a model, and retries after temporary failures as long as there was no output. Never throws, limits
// the time without data, and leaves no request running.

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
  /** `native` until the provider refuses it. */
  readonly search: { kind: ToolSearchKind };
}

export async function* streamModel(
  connected: ModelConnection,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  for (let attempt = 1; ; attempt += 1) {
    const failed = yield* runAttempt(connected, request, signal);
    if (failed === undefined) return;
    if (failed.retry === 'without-search' && !signal.aborted) {
      connected.search.kind = 'tools';
      continue;
    }
    const afterMs = signal.aborted ? undefined : waitBefore(attempt, failed, connected);
    if (afterMs === undefined) {
      yield { kind: 'failed', failure: signal.aborted ? CANCELLED : failed.failure };
      return;
    }
    yield { kind: 'retrying', afterMs, failure: failed.failure };
    // Between two requests, nothing else keeps the process alive.
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
  failed: RequestFailure,
  connected: ModelConnection,
): number | undefined {
  if (failed.retry !== 'later') return undefined;
  const { backoff, longestWaitMs } = connected.patience;
  const usual = backoffDelay(attempt, backoff, connected.random);
  if (usual === undefined || (failed.afterMs ?? 0) > longestWaitMs) return undefined;
  return Math.round(Math.max(usual, failed.afterMs ?? 0));
}

/** Yields the events up to `finished`, or returns the failure. */
async function* runAttempt(
  connected: ModelConnection,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, RequestFailure | undefined> {
  using idle = deadline(connected.patience.idleMs, connected.clock, signal);
  let fit: FitTools | undefined;
  const { vendor, search, fitter } = connected;
  const tools = requestTools(request, search.kind === 'native' ? vendor : {});
  const reader = new AnswerReader({
    model: connected.name,
    restore: (tool, given) => fit?.restore(tool, given) ?? given,
  });
  const progress = { reader, tools };
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
      } else if (reading.kind === 'broken') return failedAttempt(broken(reading.message), progress);
      else return failedAttempt(classify(reading.error, connected), progress);
    }
    return failedAttempt(broken(ENDED_EARLY), progress);
  } catch (thrown) {
    if (idle.signal.reason instanceof DeadlineExceeded)
      return failedAttempt(silent(connected), progress);
    return failedAttempt(classify(thrown, connected), progress);
  } finally {
    idle.signal.removeEventListener('abort', follow);
    // Also reached if the caller stops early.
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
    // All data shows that the provider is alive, even if it is not part of the answer.
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
    // It may have failed already, which was reported.
    reader.cancel().catch(() => {});
  }
}

function classify(thrown: unknown, { secret, clock }: ModelConnection): RequestFailure {
  return classifyFailure(thrown, clock.now(), secret);
}

function broken(message: string): RequestFailure {
  return { failure: { kind: 'broken-answer', message }, retry: 'later' };
}

function silent({ patience }: ModelConnection): RequestFailure {
  const message = `no word from the provider for ${Math.round(patience.idleMs / 1000)} s`;
  return { failure: { kind: 'unreachable', message }, retry: 'later' };
}

function failedAttempt(
  failed: RequestFailure,
  { reader, tools }: { readonly reader: AnswerReader; readonly tools: RequestTools },
): RequestFailure {
  // Output cannot be taken back, and would be repeated.
  if (reader.hasSpoken) return { ...failed, retry: 'no' };
  const isRefused = failed.failure.kind === 'bad-request' && failed.retry === 'no';
  // The provider may have refused its native tool search.
  return isRefused && tools.kind === 'loading' ? { ...failed, retry: 'without-search' } : failed;
}
