// One script in one engine, inside its thread: starts it, hands it answers, and ends it at its limits. What the script
// wants is said through `post`; whether the thread lives on is decided outside.

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

// The compiler's library for Node has no types for it.
declare const WebAssembly: { readonly RuntimeError: new () => Error };

const NAME_CHARS = 100;
const MESSAGE_CHARS = 4000;
/** Of the tools there are, in an error about one that there is not. */
const CLOSEST_NAMES = 5;
/** An empty line is not free. */
const LINE_CHARS = 16;
/** A sleep of no time has a timer, too. */
const LEAST_SLEEP_MS = 1;
const MEMORY_FULL = 0.9;

export interface GuestOptions extends ThreadData {
  readonly clock: Clock;
  readonly post: (message: FromThread) => void;
}

interface Entrances {
  readonly run: JSValueHandle;
  readonly answer: JSValueHandle;
  readonly wake: JSValueHandle;
}

export class Guest {
  readonly #vm: QuickJS;
  readonly #options: GuestOptions;
  readonly #limits: ScriptLimits;
  readonly #entrances: Entrances;
  #state: 'waiting' | 'started' | 'over' = 'waiting';
  #end: GuestEnd | undefined;
  #ranMs = 0;
  /** `undefined` between turns, when only the bridge itself runs. */
  #turnStart: number | undefined;
  #inFlight = 0;
  #sleeping = 0;
  #sleptMs = 0;
  #loggedChars = 0;

  private constructor(vm: QuickJS, options: GuestOptions) {
    this.#vm = vm;
    this.#options = options;
    this.#limits = options.limits;
    this.#entrances = this.#openBridge();
  }

  /** Does everything that does not depend on the script, so that a waiting thread has it done. */
  static async open(options: GuestOptions): Promise<Guest> {
    let isInterrupted = (): boolean => false;
    const vm = await QuickJS.create({
      wasm: options.engine,
      memoryLimit: options.limits.memoryBytes,
      maxStackSize: MAX_STACK_SIZE,
      timezoneOffset: 0,
      interruptHandler: () => isInterrupted(),
      // Else the engine's own messages would go to the process's streams.
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
      this.#enter(this.#entrances.run, main, text);
    });
  }

  answer(id: number, ok: boolean, text: string): void {
    this.#inFlight -= 1;
    this.#turn(() => {
      const vm = this.#vm;
      const isOk = ok ? vm.true : vm.false;
      this.#enter(this.#entrances.answer, vm.newNumber(id), isOk, vm.newString(text));
    });
  }

  #enter(entrance: JSValueHandle, ...values: JSValueHandle[]): void {
    this.#vm.callFunction(entrance, this.#vm.undefined, ...values).dispose();
    for (const value of values) value.dispose();
  }

  /** Runs a part of the script, and all that follows from it until the script waits. */
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
        // The stripper knows both languages, so it says what is wrong with what is neither.
        if (!(thrown instanceof JSException) || this.#end !== undefined) throw thrown;
      }
    }
    const stripped = stripTypes(wrapped);
    if (stripped.ok) return evaluate(stripped.value);
    this.#end ??= { kind: 'failed', error: placedError(stripped.error) };
    return undefined;
  }

  #openBridge(): Entrances {
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
    this.#count(id);
    this.#inFlight += 1;
    if (this.#inFlight > this.#limits.callsInFlight) this.#stop('calls');
    if (this.#end === undefined) this.#options.post({ kind: 'call', id, tool, text });
  }

  #queue(id: number, tool: number): void {
    this.#count(id);
    if (this.#end === undefined) this.#options.post({ kind: 'queue', id, tool });
  }

  #count(id: number): void {
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
      this.#turn(() => this.#enter(this.#entrances.wake, this.#vm.newNumber(id)));
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
    // A trap, after which the engine cannot go on: mostly, its stack or the thread's is used up.
    if (this.#isFull()) return { kind: 'limit', limit: 'memory' };
    if (thrown instanceof RangeError || thrown instanceof WebAssembly.RuntimeError) {
      return { kind: 'limit', limit: 'stack' };
    }
    return endByError({ name: 'InternalError', message: messageOf(thrown), stack: '' });
  }

  /** A script whose memory is full may be unable to say so. */
  #isFull(): boolean {
    try {
      const { mallocSize } = this.#vm.getMemoryUsage();
      return mallocSize > this.#limits.memoryBytes * MEMORY_FULL;
    } catch {
      return false;
    }
  }
}

/** Cut here as well: what a script throws before it has begun does not come through the bridge. */
function endByError(thrown: Pick<ScriptError, 'name' | 'message' | 'stack'>): GuestEnd {
  const error = {
    name: thrown.name.slice(0, NAME_CHARS),
    message: thrown.message.slice(0, MESSAGE_CHARS),
    stack: thrown.stack.slice(0, MESSAGE_CHARS),
  };
  // The engine has no codes for its errors. A script may pretend; that ends only itself.
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
