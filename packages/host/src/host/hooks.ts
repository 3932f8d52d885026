// The hooks of a configuration around calls and answers: which of them run, one after another, each on the
// output of the one before. A hook that fails blocks a call before it is sent, and withholds an answer to a server;
// after a call it is only reported, since the call cannot be undone.

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
import type { CommandPorts } from '../platform/index.ts';
import { type Answer, readToolResult, type ToolResult } from '../protocol/index.ts';
import {
  compileHookMatch,
  type HookAnswer,
  type HookKey,
  type HookMatch,
  type ServerStanding,
} from '../policy/index.ts';
import { type HookFailure, runHook } from './hook-run.ts';

interface CompiledHook {
  readonly hook: AdmittedHook;
  readonly match: HookMatch;
}

export interface HookPass<T> {
  readonly kind: 'passed';
  readonly value: T;
  readonly isChanged: boolean;
  /** Hooks that failed without blocking. */
  readonly failures: readonly HookFailure[];
}

export type HookOutcome<T> =
  | HookPass<T>
  | { readonly kind: 'blocked'; readonly by: HookFailure }
  | { readonly kind: 'cancelled' };

/** The record of one run of a hook. */
export interface HookNote {
  readonly event: HookEvent;
  readonly origin: AdmittedHook['origin'];
  readonly ms: number;
  readonly outcome: 'pass' | 'rewrite' | 'block' | 'failed' | 'cancelled';
}

/** What stops a run of hooks, and who is notified of each. */
interface HookRunOptions {
  readonly signal: CancelSignal;
  readonly observer?: { hook(note: HookNote): void } | undefined;
}

/** A call around which hooks run. */
export interface HookedCall extends HookRunOptions {
  readonly tool: CatalogTool;
  readonly arguments: JsonObject;
}

export class Hooks {
  readonly #hooks: readonly CompiledHook[];
  readonly #ports: CommandPorts;

  constructor(
    hooks: readonly AdmittedHook[],
    servers: readonly ServerStanding[],
    ports: CommandPorts,
  ) {
    this.#hooks = hooks.map((hook) => ({ hook, match: compileHookMatch(hook, servers) }));
    this.#ports = ports;
  }

  /** Whether a hook matches a tool; for most tools none does. */
  has(event: HookEvent, tool: CatalogTool): boolean {
    return this.#hooks.length > 0 && this.#of(event, tool).length > 0;
  }

  beforeCall(call: HookedCall): Promise<HookOutcome<JsonObject>> {
    const { tool } = call;
    return this.#run(this.#of('beforeCall', tool), call.arguments, {
      key: 'arguments',
      input: (value) => ({ ...toolFields('beforeCall', tool), arguments: value }),
      read: readArguments,
      failing: 'blocks',
      options: call,
    });
  }

  afterCall(call: HookedCall, result: ToolResult): Promise<HookOutcome<ToolResult>> {
    const { tool, arguments: given } = call;
    return this.#run(this.#of('afterCall', tool), result, {
      key: 'result',
      input: (value) => ({
        ...toolFields('afterCall', tool),
        arguments: given,
        // It was checked when it arrived, so it is JSON.
        result: value as unknown as Json,
      }),
      read: readToolResult,
      failing: 'is-reported',
      options: call,
    });
  }

  /** Runs on the user's answer to a server's question; if a hook blocks it, the caller declines the question. */
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
      options: { signal },
    });
  }

  #of(event: HookEvent, tool: CatalogTool): readonly CompiledHook[] {
    return this.#hooks.filter(({ hook, match }) => hook.event === event && match.fits(tool));
  }

  async #run<T>(
    hooks: readonly CompiledHook[],
    first: T,
    run: HookRun<T>,
  ): Promise<HookOutcome<T>> {
    const failures: HookFailure[] = [];
    let value = first;
    for (const { hook } of hooks) {
      const { observer } = run.options;
      const signal = abortSignalOf(run.options.signal);
      const began = this.#ports.clock.elapsed();
      const request = { input: run.input(value), key: run.key, signal };
      const answer = await runHook(hook, request, this.#ports);
      const output = answer?.ok === true ? readOutput(hook, answer.value, run) : answer;
      observer?.hook({
        event: hook.event,
        origin: hook.origin,
        ms: this.#ports.clock.elapsed() - began,
        outcome: noteOf(answer, output),
      });
      if (answer === undefined || output === undefined) return { kind: 'cancelled' };
      if (output.ok) {
        if (output.value !== undefined) value = output.value.value;
      } else if (run.failing === 'blocks' || (answer.ok && answer.value.kind === 'block')) {
        return { kind: 'blocked', by: output.error };
      } else {
        failures.push(output.error);
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
  readonly options: HookRunOptions;
}

type HookOutput<T> = Result<{ readonly value: T } | undefined, HookFailure>;

function noteOf(
  answer: Result<HookAnswer, HookFailure> | undefined,
  output: Result<unknown, HookFailure> | undefined,
): HookNote['outcome'] {
  if (answer === undefined) return 'cancelled';
  if (answer.ok && (output?.ok === true || answer.value.kind === 'block')) return answer.value.kind;
  return 'failed';
}

function readOutput<T>(
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
  // Plain data, as received.
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
