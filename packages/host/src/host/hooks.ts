// The hooks of a configuration around calls and answers: which of them run, one after another, each with
// what the one before made of it. A hook that fails stops a call before it is sent and withholds an
// answer; after a call it is only reported, since what was done is done.

import {
  abortSignalOf,
  type CancelSignal,
  err,
  isObject,
  type Json,
  type JsonObject,
  ok,
  type Result,
} from '@plugboard/base';
import type { AdmittedHook } from '../admission/index.ts';
import type { CatalogTool } from '../catalog/index.ts';
import type { HookEvent } from '../config/index.ts';
import type { AnsweredQuestion } from '../inbound/index.ts';
import { type Answer, readToolResult, type ToolResult } from '../protocol/index.ts';
import {
  compileHookMatch,
  type HookAnswer,
  type HookKey,
  type HookMatch,
  type ServerStanding,
} from '../policy/index.ts';
import { type HookFailure, type HookPorts, runHook } from './hook-run.ts';

interface ReadyHook {
  readonly hook: AdmittedHook;
  readonly match: HookMatch;
}

export type HookOutcome<T> =
  | {
      readonly kind: 'passed';
      readonly value: T;
      readonly isChanged: boolean;
      /** Hooks that failed and were not to stop anything. */
      readonly failures: readonly HookFailure[];
    }
  | { readonly kind: 'blocked'; readonly by: HookFailure }
  | { readonly kind: 'cancelled' };

/** One hook that was run. */
export interface HookNote {
  readonly event: HookEvent;
  readonly origin: AdmittedHook['origin'];
  readonly ms: number;
  readonly outcome: 'pass' | 'rewrite' | 'block' | 'failed' | 'cancelled';
}

/** How hooks are run: until when, and who is notified of each. */
export interface HookCourse {
  readonly signal: CancelSignal;
  readonly observer?: { hook(note: HookNote): void } | undefined;
}

export class Hooks {
  readonly #hooks: readonly ReadyHook[];
  readonly #ports: HookPorts;

  constructor(
    hooks: readonly AdmittedHook[],
    servers: readonly ServerStanding[],
    ports: HookPorts,
  ) {
    this.#hooks = hooks.map((hook) => ({ hook, match: compileHookMatch(hook, servers) }));
    this.#ports = ports;
  }

  /** Whether any hook is to be run for a tool; mostly none is. */
  has(event: HookEvent, tool: CatalogTool): boolean {
    return this.#hooks.length > 0 && this.#of(event, tool).length > 0;
  }

  beforeCall(
    tool: CatalogTool,
    given: JsonObject,
    course: HookCourse,
  ): Promise<HookOutcome<JsonObject>> {
    return this.#run(this.#of('beforeCall', tool), given, {
      key: 'arguments',
      input: (value) => ({ ...toolFields('beforeCall', tool), arguments: value }),
      read: readArguments,
      failing: 'blocks',
      course,
    });
  }

  afterCall(
    call: HookCourse & { readonly tool: CatalogTool; readonly arguments: JsonObject },
    result: ToolResult,
  ): Promise<HookOutcome<ToolResult>> {
    const { tool, arguments: given } = call;
    return this.#run(this.#of('afterCall', tool), result, {
      key: 'result',
      input: (value) => ({
        ...toolFields('afterCall', tool),
        arguments: given,
        // Checked when it came, so it is JSON.
        result: value as unknown as Json,
      }),
      read: readToolResult,
      failing: 'is-reported',
      course: call,
    });
  }

  /**
   * Runs on the answer to a server's question to the user; if it is blocked, the caller declines the
   * question.
   */
  elicitationResult(
    { server, question, answer }: AnsweredQuestion,
    signal: AbortSignal,
  ): Promise<HookOutcome<Answer>> {
    const fitting = this.#hooks.filter(
      ({ hook, match }) => hook.event === 'elicitationResult' && match.mayMean(server),
    );
    return this.#run(fitting, answer, {
      key: 'answer',
      input: (value) => ({
        event: 'elicitationResult',
        server,
        // Both are plain data.
        question: question as unknown as Json,
        answer: value as unknown as Json,
      }),
      read: readAnswer,
      failing: 'blocks',
      course: { signal },
    });
  }

  #of(event: HookEvent, tool: CatalogTool): readonly ReadyHook[] {
    return this.#hooks.filter(({ hook, match }) => hook.event === event && match.fits(tool));
  }

  async #run<T>(
    hooks: readonly ReadyHook[],
    first: T,
    asking: HookRun<T>,
  ): Promise<HookOutcome<T>> {
    const failures: HookFailure[] = [];
    let value = first;
    for (const { hook } of hooks) {
      const { observer } = asking.course;
      const signal = abortSignalOf(asking.course.signal);
      const began = this.#ports.clock.elapsed();
      const asked = { input: asking.input(value), key: asking.key, signal };
      const answer = await runHook(hook, asked, this.#ports);
      const taken = answer?.ok === true ? take(hook, answer.value, asking) : answer;
      observer?.hook({
        event: hook.event,
        origin: hook.origin,
        ms: this.#ports.clock.elapsed() - began,
        outcome: noteOf(answer, taken),
      });
      if (answer === undefined || taken === undefined) return { kind: 'cancelled' };
      if (taken.ok) {
        if (taken.value !== undefined) value = taken.value.value;
      } else if (asking.failing === 'blocks' || (answer.ok && answer.value.kind === 'block')) {
        return { kind: 'blocked', by: taken.error };
      } else {
        failures.push(taken.error);
      }
    }
    return { kind: 'passed', value, isChanged: value !== first, failures };
  }
}

interface HookRun<T> {
  readonly key: HookKey;
  readonly input: (value: T) => Json;
  readonly read: (raw: unknown) => Result<T, string>;
  readonly failing: 'blocks' | 'is-reported';
  readonly course: HookCourse;
}

type HookOutput<T> = Result<{ readonly value: T } | undefined, HookFailure>;

function noteOf(
  answer: Result<HookAnswer, HookFailure> | undefined,
  taken: Result<unknown, HookFailure> | undefined,
): HookNote['outcome'] {
  if (answer === undefined) return 'cancelled';
  if (answer.ok && (taken?.ok === true || answer.value.kind === 'block')) return answer.value.kind;
  return 'failed';
}

function take<T>(
  { event, origin }: AdmittedHook,
  answer: HookAnswer,
  { read }: HookRun<T>,
): HookOutput<T> {
  switch (answer.kind) {
    case 'pass':
      return ok(undefined);
    case 'block':
      return err({ event, origin, reason: answer.reason });
    case 'rewrite': {
      const value = read(answer.value);
      if (value.ok) return ok({ value: value.value });
      return err({ event, origin, reason: `printed something odd: ${value.error}` });
    }
    default:
      return answer satisfies never;
  }
}

function toolFields(event: HookEvent, { server, tool, name, definition }: CatalogTool): JsonObject {
  // Plain data, as it came over the wire.
  const annotations = (definition.annotations ?? {}) as JsonObject;
  return { event, server, tool, name, annotations };
}

function readArguments(raw: unknown): Result<JsonObject, string> {
  return isObject(raw) ? ok(raw as JsonObject) : err('"arguments" are not an object');
}

function readAnswer(raw: unknown): Result<Answer, string> {
  if (!isObject(raw)) return err('the answer is not an object');
  const { kind, content } = raw;
  if (kind === 'decline' || kind === 'cancel') return ok({ kind });
  if (kind === 'accept' && isObject(content)) {
    return ok({ kind, content: content as Readonly<Record<string, Json>> });
  }
  return err('the answer is none of accept (with "content"), decline and cancel');
}
