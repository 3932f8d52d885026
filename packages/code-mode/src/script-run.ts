// One run of a script, on the host's thread: makes the calls of the script, enforces the deadline, and ends the thread
// when the script has finished or reached a limit.

import { type Clock, codeOf, messageOf, never, parseJson } from '@plugboard/base';
import { MOST_DEPTH, readArguments } from './read-arguments.ts';
import type {
  CallRecord,
  CallResult,
  LimitName,
  ScriptEnd,
  ScriptLimits,
  ScriptOptions,
  ScriptOutcome,
} from './script.ts';
import { PausableDeadline } from './pausable-deadline.ts';
import type { ScriptThread } from './script-thread.ts';
import type { FromThread, GuestEnd, ServerTools } from './thread-messages.ts';

const WATCH_MS = 100;
/** The thread ends a script itself within this time, unless one step of the engine takes too long. */
const GRACE_MS = 250;
const MESSAGE_CHARS = 4000;
/** The name of an unknown tool, which only a compromised engine can request. */
const NO_TOOL = '';

export interface RunContext {
  readonly thread: ScriptThread;
  readonly limits: ScriptLimits;
  readonly clock: Clock;
}

export class ScriptRun {
  readonly #options: ScriptOptions;
  readonly #context: RunContext;
  readonly #ended = new AbortController();
  readonly #records = new Map<number, CallRecord>();
  readonly #log: string[] = [];
  readonly #deadline: PausableDeadline;
  #watch: Disposable | undefined;
  #finish: (end: ScriptEnd) => void = () => {};

  constructor(options: ScriptOptions, context: RunContext) {
    this.#options = options;
    this.#context = context;
    const { limits, clock } = context;
    this.#deadline = new PausableDeadline(limits.deadlineMs, clock, () => this.#stop('deadline'));
  }

  async run(code: string): Promise<ScriptOutcome> {
    const { thread, limits } = this.#context;
    const { signal = never } = this.#options;
    const cancel = (): void => this.#finish({ kind: 'cancelled' });
    const end = new Promise<ScriptEnd>((resolve) => {
      this.#finish = resolve;
    });
    thread.listen({
      onMessage: (message) => this.#handle(message),
      onExit: (cause) => this.#finish(endByExit(cause)),
    });
    if (code.length > limits.codeChars) this.#stop('code');
    else thread.post({ kind: 'run', code, tools: toolsByServer(this.#options) });
    this.#watchTurns({ turn: 0, since: 0 });
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    const ended = await end;
    signal.removeEventListener('abort', cancel);
    this.#deadline[Symbol.dispose]();
    this.#watch?.[Symbol.dispose]();
    const { droppedLines } = thread;
    const calls = this.#orderedRecords();
    this.#ended.abort();
    await thread.terminate();
    return { ...ended, log: this.#log, droppedLines, calls };
  }

  #handle(message: FromThread): void {
    switch (message.kind) {
      case 'log':
        this.#log.push(message.line);
        break;
      case 'queue':
        this.#record(message.id, { name: this.#nameOf(message.tool), state: 'not-started' });
        break;
      case 'call':
        void this.#answer(message);
        break;
      case 'end':
        this.#finish(this.#read(message.end));
        break;
      default:
        message satisfies never;
    }
  }

  async #answer({ id, tool, text }: FromThread & { readonly kind: 'call' }): Promise<void> {
    const name = this.#nameOf(tool);
    this.#record(id, { name, state: 'unfinished' });
    const answer = await this.#call(name, text);
    if (this.#ended.signal.aborted) return;
    const message = answer.ok ? '' : answer.text;
    this.#record(id, { name, state: answer.ok ? 'done' : 'failed', message });
    this.#context.thread.post({ kind: 'answer', id, ...answer });
  }

  #nameOf(tool: number): string {
    return this.#options.tools[tool]?.name ?? NO_TOOL;
  }

  async #call(name: string, text: string): Promise<{ ok: boolean; text: string }> {
    const given = readArguments(text, this.#context.limits.argumentChars);
    if (name === NO_TOOL) return failed('there is no such tool');
    if (!given.ok) return failed(given.error);
    const call = { name, arguments: given.value };
    try {
      return this.#answerText(
        await this.#options.call(call, {
          signal: this.#ended.signal,
          pauseDeadline: () => this.#deadline.pause(),
        }),
      );
    } catch (thrown) {
      return failed(messageOf(thrown));
    }
  }

  #answerText(result: CallResult): { ok: boolean; text: string } {
    if (!result.ok) return failed(result.message);
    const text = JSON.stringify(result.value);
    const { answerChars } = this.#context.limits;
    return text.length > answerChars
      ? failed(`the call was made, but its answer has more than ${answerChars} characters`)
      : { ok: true, text };
  }

  #record(
    id: number,
    { name, state, message = '' }: Omit<CallRecord, 'message'> & Partial<CallRecord>,
  ): void {
    this.#records.set(id, { name, state, message });
  }

  #orderedRecords(): readonly CallRecord[] {
    return [...this.#records].toSorted(([a], [b]) => a - b).map(([, record]) => record);
  }

  #read(end: GuestEnd): ScriptEnd {
    if (end.kind !== 'done') return end;
    if (end.text === undefined) return { kind: 'done', value: undefined };
    const maxLength = this.#context.limits.resultChars;
    const value = parseJson(end.text, { maxLength, maxDepth: MOST_DEPTH });
    return value.ok ? { kind: 'done', value: value.value } : { kind: 'limit', limit: 'result' };
  }

  #stop(limit: LimitName): void {
    this.#finish({ kind: 'limit', limit });
  }

  /** Ends a script if one step of the engine takes longer than the script may run in all. */
  #watchTurns(seen: { readonly turn: number; readonly since: number }): void {
    const { thread, limits, clock } = this.#context;
    const { turn } = thread;
    const isSame = turn === seen.turn && turn % 2 === 1;
    const since = isSame ? seen.since : clock.elapsed();
    if (clock.elapsed() - since > limits.runMs + GRACE_MS) this.#stop('run-time');
    else this.#watch = clock.after(WATCH_MS, () => this.#watchTurns({ turn, since }));
  }
}

function endByExit(cause: unknown): ScriptEnd {
  if (codeOf(cause) === 'ERR_WORKER_OUT_OF_MEMORY') return { kind: 'limit', limit: 'memory' };
  const message = `the sandbox ended: ${messageOf(cause)}`;
  return {
    kind: 'failed',
    error: { name: 'InternalError', message, line: 0, column: 0, stack: '' },
  };
}

function failed(message: string): { ok: false; text: string } {
  return { ok: false, text: message.slice(0, MESSAGE_CHARS) };
}

function toolsByServer({ tools }: ScriptOptions): ServerTools {
  const servers = new Map<string, [tool: string, number: number][]>();
  for (const [number, { path }] of tools.entries()) {
    const [server, tool] = path;
    const known = servers.get(server);
    if (known === undefined) servers.set(server, [[tool, number]]);
    else known.push([tool, number]);
  }
  return [...servers];
}
