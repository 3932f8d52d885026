// A few threads that run one program and share a queue of jobs. Threads start when there is work, end
// when there has been none for a while, and are replaced when one dies: then the job that it was at
// fails, and no other.

import { Worker } from 'node:worker_threads';
import { type Clock, CodedError } from '@plugboard/base';
import type { Job, JobDone } from './worker-program.ts';

/** The code of the error of a job whose thread died or was given up. */
export const WORKER_LOST = 'worker-lost';

export interface WorkerPoolSettings {
  readonly program: URL;
  readonly size: number;
  readonly clock: Clock;
  readonly idleMs: number;
  /** How long a thread may be at one job before it is ended. */
  readonly mostMsPerJob: number;
}

/** How many jobs a thread has at hand, so that it need not wait for the next. */
const AT_HAND = 2;

interface Waiting<Request, Response> extends Job<Request> {
  readonly resolve: (response: Response) => void;
  readonly reject: (reason: Error) => void;
}

interface Thread<Request, Response> {
  readonly worker: Worker;
  /** The first is the one it works at. */
  readonly jobs: Waiting<Request, Response>[];
  timer: Disposable | undefined;
}

export class WorkerPool<Request, Response> {
  readonly #settings: WorkerPoolSettings;
  readonly #threads = new Set<Thread<Request, Response>>();
  readonly #ending = new Set<Promise<unknown>>();
  readonly #queue: Waiting<Request, Response>[] = [];
  #lastId = 0;
  #isClosed = false;

  constructor(settings: WorkerPoolSettings) {
    this.#settings = settings;
  }

  /** The threads that are alive now. */
  get threads(): number {
    return this.#threads.size;
  }

  /** Giving up takes a job out of the queue; one that is being worked at ends unheard. */
  async run(request: Request, signal: AbortSignal): Promise<Response> {
    signal.throwIfAborted();
    if (this.#isClosed) throw closedError();
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise<Response>((resolve, reject) => {
      const giveUp = (): void => {
        this.#forget(id);
        reject(signal.reason as Error);
      };
      const settled = (): void => signal.removeEventListener('abort', giveUp);
      signal.addEventListener('abort', giveUp, { once: true });
      this.#queue.push({
        id,
        request,
        resolve: (response) => (settled(), resolve(response)),
        reject: (reason) => (settled(), reject(reason)),
      });
      this.#deal();
    });
  }

  /** Ends all threads. Jobs that are not done are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const left = this.#queue.splice(0);
    for (const thread of this.#threads) {
      left.push(...thread.jobs.splice(0));
      this.#end(thread);
    }
    for (const job of left) job.reject(closedError());
    await Promise.all(this.#ending);
  }

  #forget(id: number): void {
    const index = this.#queue.findIndex((job) => job.id === id);
    if (index >= 0) this.#queue.splice(index, 1);
  }

  /** Hands jobs to threads: first to idle ones, then to new ones, then ahead of need. */
  #deal(): void {
    this.#fill(1);
    while (this.#queue.length > 0 && this.#threads.size < this.#settings.size) {
      this.#hand(this.#start());
    }
    this.#fill(AT_HAND);
  }

  #fill(room: number): void {
    for (const thread of this.#threads) {
      while (thread.jobs.length < room && this.#queue.length > 0) this.#hand(thread);
    }
  }

  #hand(thread: Thread<Request, Response>): void {
    const job = this.#queue.shift();
    if (job === undefined) return;
    thread.jobs.push(job);
    if (thread.jobs.length === 1) this.#watch(thread);
    const message: Job<Request> = { id: job.id, request: job.request };
    thread.worker.postMessage(message, []);
  }

  #start(): Thread<Request, Response> {
    const worker = new Worker(this.#settings.program);
    const thread: Thread<Request, Response> = { worker, jobs: [], timer: undefined };
    this.#threads.add(thread);
    worker.on('message', (done: JobDone<Response>) => this.#finish(thread, done));
    // The exit follows, and says all that is needed.
    worker.on('error', (cause) => this.#lose(thread, cause));
    worker.on('exit', () => this.#lose(thread, undefined));
    return thread;
  }

  #finish(thread: Thread<Request, Response>, { id, response }: JobDone<Response>): void {
    const job = thread.jobs.shift();
    if (job?.id !== id) return;
    job.resolve(response);
    this.#deal();
    this.#watch(thread);
  }

  /** One timer for each thread: for the job it is at, or for how long it is idle. */
  #watch(thread: Thread<Request, Response>): void {
    const { clock, idleMs, mostMsPerJob } = this.#settings;
    thread.timer?.[Symbol.dispose]();
    if (thread.jobs.length === 0) {
      // An idle thread keeps no process alive.
      thread.worker.unref();
      thread.timer = clock.after(idleMs, () => this.#end(thread));
    } else {
      thread.worker.ref();
      thread.timer = clock.after(mostMsPerJob, () => this.#lose(thread, undefined));
    }
  }

  #lose(thread: Thread<Request, Response>, cause: unknown): void {
    if (!this.#threads.has(thread)) return;
    const [failed, ...others] = thread.jobs.splice(0);
    this.#end(thread);
    this.#queue.unshift(...others);
    const message = 'the worker thread ended, or took too long';
    failed?.reject(new CodedError(WORKER_LOST, message, { data: undefined, cause }));
    this.#deal();
  }

  #end(thread: Thread<Request, Response>): void {
    if (!this.#threads.delete(thread)) return;
    thread.timer?.[Symbol.dispose]();
    const ended = thread.worker.terminate();
    this.#ending.add(ended);
    void ended.finally(() => this.#ending.delete(ended));
  }
}

function closedError(): CodedError {
  return new CodedError('worker-pool-closed', 'the threads were closed', { data: undefined });
}
