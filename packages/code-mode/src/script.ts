// The input and the outcome of a script. The caller decides about calls and makes them.

import type { Json, JsonObject } from '@plugboard/base';

export interface ScriptTool {
  /** Where a script finds it: `tools[server][tool]`. */
  readonly path: readonly [server: string, tool: string];
  /** Its name in a `ScriptCall`. */
  readonly name: string;
}

export interface ScriptCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

export type CallResult =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly message: string };

export interface CallContext {
  /** Aborts when the script ends for any reason. */
  readonly signal: AbortSignal;
  /** Pauses the script's deadline until disposed, for example while a person is asked. */
  readonly pauseDeadline: () => Disposable;
}

export interface ScriptOptions {
  readonly tools: readonly ScriptTool[];
  readonly call: (call: ScriptCall, context: CallContext) => Promise<CallResult>;
  readonly signal?: AbortSignal;
}

export interface ScriptLimits {
  /** How long the script's own code may run, in elapsed time, since Node 20 cannot measure a thread's processor time. */
  readonly runMs: number;
  /** How long everything may take, with calls and sleep but without pauses. */
  readonly deadlineMs: number;
  /** How long all sleeps together may take. */
  readonly sleepMs: number;
  /** Memory for the script's values. The limit for the engine as a whole is a little higher. */
  readonly memoryBytes: number;
  readonly calls: number;
  readonly callsInFlight: number;
  readonly codeChars: number;
  /** For the arguments of one call, as JSON. */
  readonly argumentChars: number;
  /** For the answer to one call, as JSON. */
  readonly answerChars: number;
  /** For the returned value, as JSON. */
  readonly resultChars: number;
  /** For the whole log. Further lines are counted and dropped. */
  readonly logChars: number;
}

export const DEFAULT_LIMITS: ScriptLimits = {
  runMs: 5000,
  deadlineMs: 120_000,
  sleepMs: 30_000,
  memoryBytes: 24 * 1024 * 1024,
  calls: 200,
  callsInFlight: 8,
  codeChars: 100_000,
  argumentChars: 256 * 1024,
  answerChars: 4 * 1024 * 1024,
  resultChars: 256 * 1024,
  logChars: 64 * 1024,
};

export type LimitName =
  | 'run-time'
  | 'deadline'
  | 'sleep'
  | 'memory'
  | 'stack'
  | 'calls'
  | 'code'
  /** The returned value is too long or too deep. */
  | 'result'
  /** The script waits for a promise that nothing can settle. */
  | 'stalled';

export interface CallRecord {
  readonly name: string;
  /** An `unfinished` call was started and may have had its effect; a `not-started` one had none. */
  readonly state: 'done' | 'failed' | 'unfinished' | 'not-started';
  /** Why it failed; empty otherwise. */
  readonly message: string;
}

export interface ScriptError {
  readonly name: string;
  readonly message: string;
  /** From 1; 0 if the thrown value has no place. */
  readonly line: number;
  readonly column: number;
  readonly stack: string;
}

export interface ScriptReport {
  readonly log: readonly string[];
  /** The number of lines over the limit. */
  readonly droppedLines: number;
  /** In the order in which the script made them. */
  readonly calls: readonly CallRecord[];
}

export type ScriptEnd =
  /** `undefined` if the script returned nothing. */
  | { readonly kind: 'done'; readonly value: Json | undefined }
  | { readonly kind: 'failed'; readonly error: ScriptError }
  | { readonly kind: 'limit'; readonly limit: LimitName }
  | { readonly kind: 'cancelled' };

export type ScriptOutcome = ScriptEnd & ScriptReport;
