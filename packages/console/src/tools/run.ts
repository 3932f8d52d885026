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
export interface Ran {
  readonly request: RunRequest;
  readonly answer: Answer<RunOutcome>;
}

export class Run {
  readonly #isRunning = signal(false);
  readonly #ran = signal<Ran | undefined>(undefined);
  #form: { readonly of: string; readonly store: FormStore } | undefined;

  get isRunning(): ReadonlySignal<boolean> {
    return this.#isRunning;
  }

  get ran(): ReadonlySignal<Ran | undefined> {
    return this.#ran;
  }

  /** Keeps the form, with what was typed, for an equal schema: reloading creates new objects. */
  form(schema: Json | undefined, value: Json | undefined): FormStore {
    const of = JSON.stringify([schema, value]);
    if (this.#form?.of !== of) this.#form = { of, store: new FormStore(schema, value) };
    return this.#form.store;
  }

  /** `word` is the label of the action on the page. */
  async start(request: RunRequest, word: string): Promise<Ran> {
    this.#isRunning.value = true;
    const answer = await post<RunOutcome>('run', request);
    const ran = { request, answer };
    batch(() => {
      this.#isRunning.value = false;
      this.#ran.value = ran;
    });
    announce(
      answer.kind === 'ok' ? `${word}: ${CALL_LOOKS[answer.value.state].word}.` : reasonOf(answer),
    );
    return ran;
  }
}

/** Limited, since results may be large. The most recently used run is last. */
const MOST_KEPT = 50;
const kept = new Map<string, Run>();

/** The run with these names, the same in every view. */
export function keptRun(...names: readonly string[]): Run {
  const key = JSON.stringify(names);
  const run = kept.get(key) ?? new Run();
  kept.delete(key);
  kept.set(key, run);
  const idle = [...kept].filter(([, each]) => each !== run && !each.isRunning.peek());
  for (const [each] of idle.slice(0, Math.max(0, kept.size - MOST_KEPT))) kept.delete(each);
  return run;
}
