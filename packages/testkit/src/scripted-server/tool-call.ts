// What a scripted tool gets and gives: the ports through which it touches its request, its process
// and time, so that the same tools work on stdio and on HTTP.

import type { JsonObject } from '@plugboard/base';
import type { RpcError } from './json-rpc.ts';
import type { Crash, Era, ScriptedTool } from './script.ts';

/** The process that a server appears to be. */
export interface Machine {
  readonly pid: number;
  readonly grandchildren: readonly number[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Ends the server without any answer. */
  crash(crash: Crash): void;
}

export interface ToolCall {
  readonly args: JsonObject;
  /** Aborts when the client cancels the request or goes away. */
  readonly signal: AbortSignal;
  readonly machine: Machine;
  /** Sends a progress notification, where the client asked for them. */
  readonly progress: (done: number, total: number) => void;
  readonly era: Era;
  /** What the client answers in the second round of a modern call. */
  readonly inputResponses: JsonObject | undefined;
  /** What it gave the client to bring back, as far as it is a text. */
  readonly requestState: string | undefined;
  /** What the client of this request declared, in the modern era. */
  readonly capabilities: JsonObject;
  /** Asks the client, in the legacy era; the answer has a `result` or an `error`. */
  readonly ask: (method: string, params: JsonObject) => Promise<JsonObject>;
  /** Says something else than an answer. */
  readonly notify: (method: string, params: JsonObject) => void;
  /** How long the line would be that answers with this result. */
  readonly lineBytes: (result: JsonObject) => number;
}

export type Outcome =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'error'; readonly error: RpcError }
  | { readonly kind: 'nothing' };

export interface Tool {
  readonly definition: Omit<ScriptedTool, 'result' | 'resultText' | 'error'>;
  /** Is answered with a task, so only clients that follow tasks can call it. */
  readonly makesTask?: true;
  run(call: ToolCall): Outcome | Promise<Outcome>;
}

export function text(value: string): Outcome {
  return { kind: 'result', result: { content: [{ type: 'text', text: value }] } };
}

/** Structured content with the text twin that older clients read. */
export function structured(value: JsonObject): Outcome {
  return {
    kind: 'result',
    result: {
      content: [{ type: 'text', text: JSON.stringify(value) }],
      structuredContent: value,
    },
  };
}

export function toolError(message: string): Outcome {
  return { kind: 'result', result: { content: [{ type: 'text', text: message }], isError: true } };
}

/** Waits; false when the signal came first. Leaves no timer behind. */
export function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve(false);
      return;
    }
    const onAbort = (): void => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve(true);
    }, ms);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
