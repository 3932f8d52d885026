// One script in one engine, inside its thread: starts it, passes answers to it, and ends it at its limits. It sends
// messages with `post`; the host ends the thread.

import { type Clock, messageOf } from '@plugboard/base';
import { EvalFlags, JSException, type JSValueHandle, MAX_STACK_SIZE, QuickJS } from 'quickjs-wasi';
import { placedError, SCRIPT_FILE, wrapScript } from './script-place.ts';
import { PRELUDE } from './prelude.ts';
import type { LimitName, ScriptError, ScriptLimits } from './script.ts';
import { mayHaveTypeArguments, stripTypes } from './strip-types.ts';
import {
  COUNTER,
  type FromThread,
  type GuestEnd,
  type ServerTools,
  type ThreadData,
} from './thread-messages.ts';

// The types of Node do not include WebAssembly.
declare const WebAssembly: { readonly RuntimeError: new () => Error };

const NAME_CHARS = 100;
const MESSAGE_CHARS = 4000;
/** How many similar names the error about an unknown tool lists. */
const CLOSEST_NAMES = 5;
/** The least that a line counts, since even an empty line takes memory. */
const LINE_CHARS = 16;
/** The least that a sleep counts, since each needs a timer. */
const LEAST_SLEEP_MS = 1;
const MEMORY_FULL = 0.9;

export interface GuestOptions extends ThreadData {
  readonly clock: Clock;
  readonly post: (message: FromThread) => void;
}

interface GuestFunctions {
  readonly run: JSValueHandle;
  readonly answer: JSValueHandle;
  readonly wake: JSValueHandle;
}

export class Guest {
  readonly #vm: QuickJS;
  readonly #options: GuestOptions;
  readonly #limits: ScriptLimits;
  readonly #functions: GuestFunctions;
  #state: 'waiting' | 'started' | 'over' = 'waiting';
  #end: GuestEnd | undefined;
  #ranMs = 0;
  /** `undefined` between turns, when only the bridge runs. */
  #turnStart: number | undefined;
  #inFlight = 0;
  #sleeping = 0;
  #sleptMs = 0;
  #loggedChars = 0;

  private constructor(vm: QuickJS, options: GuestOptions) {
    this.#vm = vm;
    this.#options = options;
    this.#limits = options.limits;
    this.#functions = this.#openBridge();
  }

  /** Does all work that does not depend on the script, so that a spare thread is ready. */
  static async open(options: GuestOptions): Promise<Guest> {
    let isInterrupted = (): boolean => false;
    const vm = await QuickJS.create({
      wasm: options.engine,
      memoryLimit: options.limits.memoryBytes,
      maxStackSize: MAX_STACK_SIZE,
      timezoneOffset: 0,
      interruptHandler: () => isInterrupted(),
      // Otherwise the engine would write its messages to the streams of the process.
      wasi: () => ({ fd_write: () => 0 }),
    });
    const guest = new Guest(vm, options);
    isInterrupted = () => guest.#isInterrupted();
    return guest;
  }

  run(code: string, tools: ServerTools): void {
    const main = this.#turn(() => this.#compile(code));
    if (main === undefined) return;
    this.#state = 'started';
    this.#turn(() => {
      const text = this.#vm.newString(JSON.stringify(tools));
      this.#callGuest(this.#functions.run, main, text);
    });
  }

  answer(id: number, ok: boolean, text: string): void {
    this.#inFlight -= 1;
    this.#turn(() => {
      const vm = this.#vm;
      const isOk = ok ? vm.true : vm.false;
      this.#callGuest(this.#functions.answer, vm.newNumber(id), isOk, vm.newString(text));
    });
  }

  #callGuest(callee: JSValueHandle, ...values: JSValueHandle[]): void {
    this.#vm.callFunction(callee, this.#vm.undefined, ...values).dispose();
    for (const value of values) value.dispose();
  }

  /** Runs a part of the script until the script waits. */
  #turn<T>(work: () => T): T | undefined {
    if (this.#state === 'over') return undefined;
    const { clock, counters, post } = this.#options;
    const start = clock.elapsed();
    this.#turnStart = start;
    Atomics.add(counters, COUNTER.turns, 1);
    let value: T | undefined;
    try {
      value = work();
      this.#vm.executePendingJobs();
    } catch (thrown) {
      this.#end ??= this.#endByThrown(thrown);
    }
    this.#ranMs += clock.elapsed() - start;
    this.#turnStart = undefined;
    Atomics.add(counters, COUNTER.turns, 1);
    if (this.#ranMs > this.#limits.runMs) this.#stop('run-time');
    if (this.#state === 'started' && this.#inFlight === 0 && this.#sleeping === 0) {
      this.#stop(this.#isFull() ? 'memory' : 'stalled');
    }
    if (this.#end === undefined) return value;
    this.#state = 'over';
    post({ kind: 'end', end: this.#end });
    return undefined;
  }

  #compile(code: string): JSValueHandle | undefined {
    const wrapped = wrapScript(code);
    const evaluate = (text: string): JSValueHandle =>
      this.#vm.evalCode(text, SCRIPT_FILE, EvalFlags.STRICT);
    if (!mayHaveTypeArguments(code)) {
      try {
        return evaluate(wrapped);
      } catch (thrown) {
        // Maybe TypeScript. If it is not, the stripper has the better error.
        if (!(thrown instanceof JSException) || this.#end !== undefined) throw thrown;
      }
    }
    const stripped = stripTypes(wrapped);
    if (stripped.ok) return evaluate(stripped.value);
    this.#end ??= { kind: 'failed', error: placedError(stripped.error) };
    return undefined;
  }

  #openBridge(): GuestFunctions {
    const vm = this.#vm;
    const { argumentChars, callsInFlight, logChars, resultChars } = this.#limits;
    const bounds = {
      argumentChars,
      callsInFlight,
      logChars,
      resultChars,
      messageChars: MESSAGE_CHARS,
      closestNames: CLOSEST_NAMES,
    };
    const host = (name: string, take: (...values: JSValueHandle[]) => void): JSValueHandle =>
      vm.newFunction(name, (...values) => {
        if (this.#end === undefined) take(...values);
        return vm.undefined;
      });
    const prelude = vm.evalCode(PRELUDE, 'bridge.js');
    const made = vm.callFunction(
      prelude,
      vm.undefined,
      host('call', (id, tool, text) => this.#call(numberIn(id), numberIn(tool), textIn(text))),
      host('queue', (id, tool) => this.#queue(numberIn(id), numberIn(tool))),
      host('log', (line) => this.#log(textIn(line))),
      host('sleep', (id, ms) => this.#sleep(numberIn(id), numberIn(ms))),
      host('end', (kind, ...texts) => this.#finish(textIn(kind), texts)),
      vm.newString(JSON.stringify(bounds)),
    );
    return { run: made.getProp('0'), answer: made.getProp('1'), wake: made.getProp('2') };
  }

  #call(id: number, tool: number, text: string): void {
    this.#checkCallCount(id);
    this.#inFlight += 1;
    if (this.#inFlight > this.#limits.callsInFlight) this.#stop('calls');
    if (this.#end === undefined) this.#options.post({ kind: 'call', id, tool, text });
  }

  #queue(id: number, tool: number): void {
    this.#checkCallCount(id);
    if (this.#end === undefined) this.#options.post({ kind: 'queue', id, tool });
  }

  #checkCallCount(id: number): void {
    if (id > this.#limits.calls) this.#stop('calls');
  }

  #log(line: string): void {
    const { post, counters } = this.#options;
    this.#loggedChars += Math.max(line.length, LINE_CHARS);
    if (this.#loggedChars <= this.#limits.logChars) post({ kind: 'log', line });
    else Atomics.add(counters, COUNTER.droppedLines, 1);
  }

  #sleep(id: number, ms: number): void {
    this.#sleptMs += Math.max(ms, LEAST_SLEEP_MS);
    if (this.#sleptMs > this.#limits.sleepMs) {
      this.#stop('sleep');
      return;
    }
    this.#sleeping += 1;
    this.#options.clock.after(ms, () => {
      this.#sleeping -= 1;
      this.#turn(() => this.#callGuest(this.#functions.wake, this.#vm.newNumber(id)));
    });
  }

  #finish(kind: string, texts: readonly JSValueHandle[]): void {
    if (kind === 'too-long') {
      this.#stop('result');
    } else if (kind === 'done') {
      const [text] = texts;
      this.#end = { kind: 'done', text: text === undefined ? undefined : textIn(text) };
    } else {
      const [name = '', message = '', stack = ''] = texts.map(textIn);
      this.#end = endByError({ name, message, stack });
    }
  }

  #stop(limit: LimitName): void {
    this.#end ??= { kind: 'limit', limit };
  }

  #isInterrupted(): boolean {
    if (this.#turnStart === undefined) return false;
    const ran = this.#ranMs + this.#options.clock.elapsed() - this.#turnStart;
    if (ran > this.#limits.runMs) this.#stop('run-time');
    return this.#end !== undefined;
  }

  #endByThrown(thrown: unknown): GuestEnd {
    if (thrown instanceof JSException) {
      const { name, message, stack = '' } = thrown;
      return endByError({ name, message, stack });
    }
    // A trap, after which the engine is unusable. Usually the stack of the engine or of the thread is exhausted.
    if (this.#isFull()) return { kind: 'limit', limit: 'memory' };
    if (thrown instanceof RangeError || thrown instanceof WebAssembly.RuntimeError) {
      return { kind: 'limit', limit: 'stack' };
    }
    return endByError({ name: 'InternalError', message: messageOf(thrown), stack: '' });
  }

  /** A script without memory may be unable to report it. */
  #isFull(): boolean {
    try {
      const { mallocSize } = this.#vm.getMemoryUsage();
      return mallocSize > this.#limits.memoryBytes * MEMORY_FULL;
    } catch {
      return false;
    }
  }
}

/** Cuts the texts, since an error before the script starts does not pass through the bridge. */
function endByError(thrown: Pick<ScriptError, 'name' | 'message' | 'stack'>): GuestEnd {
  const error = {
    name: thrown.name.slice(0, NAME_CHARS),
    message: thrown.message.slice(0, MESSAGE_CHARS),
    stack: thrown.stack.slice(0, MESSAGE_CHARS),
  };
  // The engine has no error codes. A script that throws the same error only ends itself.
  if (error.name === 'InternalError' && error.message === 'out of memory') {
    return { kind: 'limit', limit: 'memory' };
  }
  return { kind: 'failed', error: placedError(error) };
}

function textIn(handle: JSValueHandle | undefined): string {
  return handle?.isString === true ? handle.toString() : '';
}

function numberIn(handle: JSValueHandle | undefined): number {
  return handle?.isNumber === true ? handle.toNumber() : 0;
}
