// The input and outcome of a scripted tool: access to its request, its process and time, so that the same tools work on
// stdio and on HTTP.

import type { JsonObject } from '@plugboard/base';
import type { RpcError } from './json-rpc.ts';
import type { Crash, Era, ScriptedTool } from './script.ts';

/** The real or simulated process of a server. */
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
  /** Aborts when the client cancels the request or disconnects. */
  readonly signal: AbortSignal;
  readonly machine: Machine;
  /** Sends a progress notification, if the client requested them. */
  readonly progress: (done: number, total: number) => void;
  readonly era: Era;
  /** The client's responses in the second round of a modern call. */
  readonly inputResponses: JsonObject | undefined;
  /** The state that the client returned, if it is a string. */
  readonly requestState: string | undefined;
  /** The declared capabilities of the client, in the modern era. */
  readonly capabilities: JsonObject;
  /** Asks the client, in the legacy era; the answer has a `result` or an `error`. */
  readonly ask: (method: string, params: JsonObject) => Promise<JsonObject>;
  /** Sends a notification. */
  readonly notify: (method: string, params: JsonObject) => void;
  /** The length of the line with this result. */
  readonly lineBytes: (result: JsonObject) => number;
}

export type Outcome =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'error'; readonly error: RpcError }
  | { readonly kind: 'nothing' };

export interface Tool {
  readonly definition: Omit<ScriptedTool, 'result' | 'resultText' | 'error'>;
  /** Returns a task, so only clients that support tasks can call it. */
  readonly makesTask?: true;
  run(call: ToolCall): Outcome | Promise<Outcome>;
}

export function text(value: string): Outcome {
  return { kind: 'result', result: { content: [{ type: 'text', text: value }] } };
}

/** Structured content with the same as text, for older clients. */
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

/** Waits; `false` if the signal aborts first. Clears its timer. */
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
