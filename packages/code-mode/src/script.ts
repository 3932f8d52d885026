// What goes into a script's run and what comes out of it. How calls are decided and made is the caller's.

import type { Json, JsonObject } from '@plugboard/base';

export interface ScriptTool {
  /** Where a script finds it: `tools[server][tool]`. */
  readonly path: readonly [server: string, tool: string];
  /** What it is called in a `ScriptCall`. */
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
  /** Aborts when the script has ended, however it ended. */
  readonly signal: AbortSignal;
  /** Stops the script's deadline until disposed, as while a person is asked. */
  readonly pauseDeadline: () => Disposable;
}

export interface ScriptOptions {
  readonly tools: readonly ScriptTool[];
  readonly call: (call: ScriptCall, context: CallContext) => Promise<CallResult>;
  readonly signal?: AbortSignal;
}

export interface ScriptLimits {
  /** How long the script's own code may run. Node 20 cannot tell a thread's processor time, so other load counts. */
  readonly runMs: number;
  /** How long everything may take: calls and sleep, too, but not what is paused. */
  readonly deadlineMs: number;
  /** How long all sleeps together may take. */
  readonly sleepMs: number;
  /** What the script's values may take. The engine's whole memory is bounded a little above. */
  readonly memoryBytes: number;
  readonly calls: number;
  readonly callsInFlight: number;
  readonly codeChars: number;
  /** Of the arguments of one call, as JSON. */
  readonly argumentChars: number;
  /** Of the answer to one call, as JSON. */
  readonly answerChars: number;
  /** Of the returned value, as JSON. */
  readonly resultChars: number;
  /** Of all that is logged. What comes after is counted and dropped. */
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
  /** What is returned is too long or too deep. */
  | 'result'
  /** It waits for a promise that nothing can settle. */
  | 'stalled';

export interface CallRecord {
  readonly name: string;
  /** `unfinished` was started and may have had its effect; `not-started` had none. */
  readonly state: 'done' | 'failed' | 'unfinished' | 'not-started';
  /** Why it failed; empty otherwise. */
  readonly message: string;
}

export interface ScriptError {
  readonly name: string;
  readonly message: string;
  /** From 1; 0 if the script threw something that does not know its place. */
  readonly line: number;
  readonly column: number;
  readonly stack: string;
}

export interface ScriptReport {
  readonly log: readonly string[];
  /** How many lines were logged beyond the limit. */
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
