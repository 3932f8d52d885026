// Runs something that may take forever, and gives up after a moment. The caller says what happens then.

import { codeOf, isObject } from '@plugboard/base';
import { type Context, createContext, Script } from 'node:vm';

const room: { run: () => void } = { run: () => {} };
let ready: { readonly context: Context; readonly script: Script } | undefined;

/** `undefined` if it took longer, or went deeper than the stack. It must not wait for anything. */
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
    // The time limit of a context holds for whatever it calls, even outside it.
    ready.script.runInContext(ready.context, { timeout: timeoutMs });
  } catch (thrown) {
    if (!isGivenUp(thrown)) throw thrown;
  } finally {
    room.run = () => {};
  }
  return done;
}

/** Recognised by code and name: what is thrown may be of the context, whose errors are of another kind than ours. */
function isGivenUp(thrown: unknown): boolean {
  const isTooDeep = isObject(thrown) && thrown['name'] === 'RangeError';
  return isTooDeep || codeOf(thrown) === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
