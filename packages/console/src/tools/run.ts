// A run of a tool, resource or prompt: its form, and the last result. It continues when the user leaves its view, since its call
// may wait for an answer that is given on another view. Kept while the page is open; nothing is stored.

import { batch, type ReadonlySignal, signal } from '@preact/signals';
import type { Json } from '@plugboard/base';
import type { RunOutcome, RunRequest } from '@plugboard/gateway/console-api';
import { type Answer, post, reasonOf } from '../feed/request.ts';
import { FormStore } from '../parts/form/form-store.ts';
import { announce } from '../ui/announce.tsx';
import { CALL_LOOKS } from '../ui/mark.tsx';

/** A request with its answer. */
export interface FinishedRun {
  readonly request: RunRequest;
  readonly answer: Answer<RunOutcome>;
}

export class Run {
  readonly #isRunning = signal(false);
  readonly #lastRun = signal<FinishedRun | undefined>(undefined);
  #form: { readonly of: string; readonly store: FormStore } | undefined;

  get isRunning(): ReadonlySignal<boolean> {
    return this.#isRunning;
  }

  get lastRun(): ReadonlySignal<FinishedRun | undefined> {
    return this.#lastRun;
  }

  /** Keeps the form, with what was typed, for an equal schema: reloading creates new objects. */
  form(schema: Json | undefined, value: Json | undefined): FormStore {
    const of = JSON.stringify([schema, value]);
    if (this.#form?.of !== of) this.#form = { of, store: new FormStore(schema, value) };
    return this.#form.store;
  }

  /** `word` is the label of the action on the page. */
  async start(request: RunRequest, word: string): Promise<FinishedRun> {
    this.#isRunning.value = true;
    const answer = await post<RunOutcome>('run', request);
    const ran = { request, answer };
    batch(() => {
      this.#isRunning.value = false;
      this.#lastRun.value = ran;
    });
    announce(
      answer.kind === 'ok' ? `${word}: ${CALL_LOOKS[answer.value.state].word}.` : reasonOf(answer),
    );
    return ran;
  }
}

/** Limited, since results may be large. The most recently used run is last. */
const MOST_KEPT = 50;
const runs = new Map<string, Run>();

/** The run with these names, the same in every view. */
export function runOf(...names: readonly string[]): Run {
  const key = JSON.stringify(names);
  const run = runs.get(key) ?? new Run();
  runs.delete(key);
  runs.set(key, run);
  const idle = [...runs].filter(([, each]) => each !== run && !each.isRunning.peek());
  for (const [each] of idle.slice(0, Math.max(0, runs.size - MOST_KEPT))) runs.delete(each);
  return run;
}
