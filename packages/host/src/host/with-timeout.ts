// Runs a synchronous task that may take very long, and aborts it after a timeout. The caller decides what happens then.

import { codeOf, isObject } from '@plugboard/base';
import { type Context, createContext, Script } from 'node:vm';

const room: { run: () => void } = { run: () => {} };
let ready: { readonly context: Context; readonly script: Script } | undefined;

/** `undefined` if the task took too long or overflowed the stack. It must be synchronous. */
export function withTimeout<T>(
  task: () => T,
  timeoutMs: number,
): { readonly value: T } | undefined {
  ready ??= { context: createContext(room), script: new Script('run()') };
  let done: { readonly value: T } | undefined;
  room.run = () => {
    done = { value: task() };
  };
  try {
    // The time limit of a context applies to everything that it calls, even outside of it.
    ready.script.runInContext(ready.context, { timeout: timeoutMs });
  } catch (thrown) {
    if (!isAborted(thrown)) throw thrown;
  } finally {
    room.run = () => {};
  }
  return done;
}

/** Checks code and name: the error may come from the context, whose error classes are different ones. */
function isAborted(thrown: unknown): boolean {
  const isTooDeep = isObject(thrown) && thrown['name'] === 'RangeError';
  return isTooDeep || codeOf(thrown) === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
