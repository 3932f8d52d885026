// The background commands of a workspace. A job keeps a limited amount of its output, once for the model, which reads new
// output, and once for the user. All jobs end with the workspace. Commands are approved before they get here.

import { StringDecoder } from 'node:string_decoder';
import { abortable, type Clock, deadline, Emitter, err, ok, type Result } from '@plugboard/base';
import { type CommandEnd, commandEnd } from './command-end.ts';
import { KeptOutput, type OutputText } from './kept-output.ts';

/** The current state of a job. */
export interface JobFacts {
  readonly id: number;
  readonly command: string;
  /** Its duration so far, or in total. */
  readonly ms: number;
  /** How it ended; `undefined` while it runs. */
  readonly end: string | undefined;
  readonly lastLine: string;
}

/** News for the model, sent with the next message. */
export interface JobNews {
  readonly label: string;
  readonly text: string;
}

/** Runs a command to its end. */
type RunJob = (take: (chunk: Buffer) => void, signal: AbortSignal) => Promise<CommandEnd>;

export interface JobsOptions {
  readonly clock: Clock;
  /** The maximum number of running jobs. */
  readonly most: number;
  /** The limit of the output of each job, in bytes. */
  readonly outputBytes: number;
}

/** The number of ended jobs that can still be read. */
const MOST_ENDED = 20;
const NEWS_LINES = 10;

export class Jobs {
  readonly #options: JobsOptions;
  readonly #changes = new Emitter<JobFacts>(() => {});
  #jobs: readonly Job[] = [];
  #last = 0;

  constructor(options: JobsOptions) {
    this.#options = options;
  }

  get all(): readonly JobFacts[] {
    return this.#jobs.map(({ facts }) => facts);
  }

  get running(): number {
    return this.#jobs.filter(({ isRunning }) => isRunning).length;
  }

  find(id: number): Job | undefined {
    return this.#jobs.find((job) => job.id === id);
  }

  /** Called when a job begins or ends. */
  on(listener: (job: JobFacts) => void): Disposable {
    return this.#changes.on(listener);
  }

  start(command: string, run: RunJob): Result<Job, string> {
    const { most } = this.#options;
    if (this.running >= most) {
      return err(`${most} jobs run already; end one with stop_job first`);
    }
    this.#last += 1;
    const job = new Job({ id: this.#last, command, ...this.#options });
    this.#jobs = withoutOldest([...this.#jobs, job]);
    void job.follow(run).then(() => this.#changes.emit(job.facts));
    this.#changes.emit(job.facts);
    return ok(job);
  }

  /** Reports each ended job once. A conversation that replaces another one also gets the running jobs. */
  news(conversation: 'same' | 'another'): readonly JobNews[] {
    return this.#jobs.flatMap((job) => {
      const isNews = job.isRunning ? conversation === 'another' : job.takeEnd();
      return isNews ? [{ label: `job ${job.id}: ${job.command}`, text: newsText(job) }] : [];
    });
  }
}

function newsText(job: Job): string {
  const { text } = job.output;
  const last = text.trimEnd().split('\n').slice(-NEWS_LINES).join('\n');
  return last === ''
    ? `${stateWords(job.facts)}; it has printed nothing`
    : `${stateWords(job.facts)}; its last lines:\n${last}`;
}

/** The state of a job, to be shown after its name. */
export function stateWords({ end, ms }: Pick<JobFacts, 'end' | 'ms'>): string {
  const seconds = `${Math.round(ms / 1000)} s`;
  return end === undefined ? `running for ${seconds}` : `${end} after ${seconds}`;
}

function withoutOldest(jobs: readonly Job[]): readonly Job[] {
  const ended = jobs.filter(({ isRunning }) => !isRunning);
  const gone = new Set(ended.slice(0, -MOST_ENDED));
  return jobs.filter((job) => !gone.has(job));
}

interface JobOptions extends Omit<JobsOptions, 'most'> {
  readonly id: number;
  readonly command: string;
}

export interface JobWait {
  readonly ms: number;
  /** Also ends the wait when this text occurs in the unread output. */
  readonly until?: string | undefined;
}

export class Job {
  readonly id: number;
  readonly command: string;
  readonly #clock: Clock;
  readonly #outputBytes: number;
  readonly #begin: number;
  readonly #stop = new AbortController();
  readonly #whole: KeptOutput;
  /** A character may arrive in pieces, with a read in between. */
  readonly #decoder = new StringDecoder('utf8');
  readonly #watchers = new Set<() => void>();
  #unread: KeptOutput;
  #end: { readonly words: string; readonly ms: number } | undefined;
  #isEndReported = false;
  #ending: Promise<void> = Promise.resolve();

  constructor({ id, command, clock, outputBytes }: JobOptions) {
    this.id = id;
    this.command = command;
    this.#clock = clock;
    this.#outputBytes = outputBytes;
    this.#begin = clock.elapsed();
    this.#whole = new KeptOutput(outputBytes);
    this.#unread = new KeptOutput(outputBytes);
  }

  get isRunning(): boolean {
    return this.#end === undefined;
  }

  get facts(): JobFacts {
    const { id, command } = this;
    const lines = this.output.text.trimEnd().split('\n');
    return {
      id,
      command,
      ms: this.#end?.ms ?? this.#clock.elapsed() - this.#begin,
      end: this.#end?.words,
      lastLine: lines.at(-1)?.trim() ?? '',
    };
  }

  /** The kept output, read or unread. */
  get output(): OutputText {
    return this.#whole.text();
  }

  /** The output since the last read. */
  read(): OutputText {
    const text = this.#unread.text();
    this.#unread = new KeptOutput(this.#outputBytes);
    return text;
  }

  /** Whether it has ended and the end is unreported; marks the end as reported. */
  takeEnd(): boolean {
    const isNews = !this.isRunning && !this.#isEndReported;
    if (isNews) this.#isEndReported = true;
    return isNews;
  }

  async waitFor({ ms, until }: JobWait, signal: AbortSignal): Promise<void> {
    using limit = deadline(ms, this.#clock, signal);
    let check = (): void => {};
    const isMet = new Promise<void>((resolve) => {
      check = () => {
        const isThere = until !== undefined && this.#unread.text().text.includes(until);
        if (isThere || !this.isRunning) resolve();
      };
    });
    this.#watchers.add(check);
    check();
    try {
      await abortable(isMet, limit.signal);
    } catch {
      // A timeout is not a failure.
      signal.throwIfAborted();
    } finally {
      this.#watchers.delete(check);
    }
  }

  /** Ends it with all its descendants. */
  async stop(who: 'the model' | 'the user'): Promise<void> {
    this.#stop.abort(who);
    await this.#ending;
  }

  follow(run: RunJob): Promise<void> {
    this.#ending = this.#run(run);
    return this.#ending;
  }

  async #run(run: RunJob): Promise<void> {
    const ended = await run((chunk) => this.#take(this.#decoder.write(chunk)), this.#stop.signal);
    this.#take(this.#decoder.end());
    const { signal } = this.#stop;
    const words =
      ended.kind === 'cancelled' && signal.aborted
        ? `stopped by ${String(signal.reason)}`
        : commandEnd(ended);
    this.#end = { words, ms: this.#clock.elapsed() - this.#begin };
    for (const watcher of this.#watchers) watcher();
  }

  #take(text: string): void {
    const chunk = Buffer.from(text, 'utf8');
    this.#whole.take(chunk);
    this.#unread.take(chunk);
    for (const watcher of this.#watchers) watcher();
  }
}
