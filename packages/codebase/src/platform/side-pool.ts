// A few processes that run one program and share a queue of jobs. Processes start when there is work, end after a while
// without any, and are replaced when they die. The job of a process that died is tried again, since something else may
// have killed the process; it fails after several processes have died at it.

import { type Clock, CodedError } from '@plugboard/base';
import { processorMsOf, type SideProcess, startSideProcess } from './side-process.ts';
import type { Job, JobEnd } from './side-program.ts';

/** The code of the error of a job whose process died or was stopped. */
export const SIDE_LOST = 'side-process-lost';

export interface SidePoolSettings {
  readonly program: URL;
  readonly size: number;
  readonly clock: Clock;
  readonly idleMs: number;
  /** How much processor time a worker may use for one job before it is stopped. */
  readonly mostMsPerJob: number;
  /** The processor time that a process has used; `undefined` if unknown. Tests replace it. */
  readonly usedBy?: (pid: number | undefined) => number | undefined;
}

/** A busy machine gives a worker little time, but a worker that takes this many times as long is stuck. */
const MOST_WAITS = 15;

/** How many processes may die at one job before it fails. */
const MOST_DEATHS = 3;

/** How many jobs are sent to a worker ahead, so that it need not wait for the next one. */
const PREFETCHED = 2;

interface PendingJob<Request, Response> extends Job<Request> {
  readonly resolve: (response: Response) => void;
  readonly reject: (reason: Error) => void;
  /** How many processes died at it. */
  deaths: number;
}

interface Worker<Request, Response> {
  readonly side: SideProcess;
  /** The worker is running the first one. */
  readonly jobs: PendingJob<Request, Response>[];
  timer: Disposable | undefined;
}

export class SidePool<Request, Response> {
  readonly #settings: SidePoolSettings;
  readonly #workers = new Set<Worker<Request, Response>>();
  readonly #ending = new Set<Promise<unknown>>();
  readonly #queue: PendingJob<Request, Response>[] = [];
  #lastId = 0;
  #isClosed = false;

  constructor(settings: SidePoolSettings) {
    this.#settings = settings;
  }

  /** How many processes are alive. */
  get processes(): number {
    return this.#workers.size;
  }

  /** Starts all processes ahead of jobs; those without a job end like other idle ones. */
  prepare(): void {
    while (!this.#isClosed && this.#workers.size < this.#settings.size) this.#watch(this.#start());
  }

  /** Aborting removes a job from the queue; the result of a running job is ignored. */
  async run(request: Request, signal: AbortSignal): Promise<Response> {
    signal.throwIfAborted();
    if (this.#isClosed) throw closedError();
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise<Response>((resolve, reject) => {
      const abort = (): void => {
        this.#removeQueued(id);
        reject(signal.reason as Error);
      };
      const settled = (): void => signal.removeEventListener('abort', abort);
      signal.addEventListener('abort', abort, { once: true });
      this.#queue.push({
        id,
        request,
        resolve: (response) => (settled(), resolve(response)),
        reject: (reason) => (settled(), reject(reason)),
        deaths: 0,
      });
      this.#deal();
    });
  }

  /** Ends all processes. Jobs that are not done are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const left = this.#queue.splice(0);
    for (const worker of this.#workers) {
      left.push(...worker.jobs.splice(0));
      this.#end(worker);
    }
    for (const job of left) job.reject(closedError());
    await Promise.all(this.#ending);
  }

  #removeQueued(id: number): void {
    const index = this.#queue.findIndex((job) => job.id === id);
    if (index >= 0) this.#queue.splice(index, 1);
  }

  /** Assigns jobs to processes: first to idle ones, then to new ones, then ahead of need. */
  #deal(): void {
    this.#fill(1);
    while (this.#queue.length > 0 && this.#workers.size < this.#settings.size) {
      this.#hand(this.#start());
    }
    this.#fill(PREFETCHED);
  }

  #fill(room: number): void {
    for (const worker of this.#workers) {
      while (worker.jobs.length < room && this.#queue.length > 0) this.#hand(worker);
    }
  }

  #hand(worker: Worker<Request, Response>): void {
    const job = this.#queue.shift();
    if (job === undefined) return;
    worker.jobs.push(job);
    if (worker.jobs.length === 1) this.#watch(worker);
    const message: Job<Request> = { id: job.id, request: job.request };
    worker.side.post(message);
  }

  #start(): Worker<Request, Response> {
    const side = startSideProcess({
      program: this.#settings.program,
      // Both sides are built together, so the type is known.
      onMessage: (message) => this.#finish(worker, message as JobEnd<Response>),
    });
    const worker: Worker<Request, Response> = { side, jobs: [], timer: undefined };
    this.#workers.add(worker);
    void side.ended.then(() => this.#onDeath(worker));
    return worker;
  }

  #finish(worker: Worker<Request, Response>, end: JobEnd<Response>): void {
    const [job] = worker.jobs;
    if (job?.id !== end.id) return;
    if (end.kind === 'failed') return this.#lose(worker, end.message);
    worker.jobs.shift();
    job.resolve(end.response);
    if (end.next === 'elsewhere') this.#replace(worker);
    this.#deal();
    if (this.#workers.has(worker)) this.#watch(worker);
  }

  /** Sets the one timer of a worker: for its current job, or for its time idle. */
  #watch(worker: Worker<Request, Response>): void {
    const { clock, idleMs } = this.#settings;
    worker.timer?.[Symbol.dispose]();
    if (worker.jobs.length === 0) {
      // An idle worker does not keep this process alive.
      worker.side.unref();
      worker.timer = clock.after(idleMs, () => this.#end(worker));
    } else {
      worker.side.ref();
      this.#limit(worker, { before: this.#usedBy(worker), waits: 1 });
    }
  }

  /** Stops a worker that has used up its processor time, or that has waited too long for it. */
  #limit(
    worker: Worker<Request, Response>,
    { before, waits }: { readonly before: number | undefined; readonly waits: number },
  ): void {
    const { clock, mostMsPerJob } = this.#settings;
    worker.timer = clock.after(mostMsPerJob, () => {
      const used = this.#usedBy(worker);
      const isUsedUp = used === undefined || before === undefined || used - before >= mostMsPerJob;
      if (isUsedUp || waits >= MOST_WAITS) this.#lose(worker, 'it took too long');
      else this.#limit(worker, { before, waits: waits + 1 });
    });
  }

  #usedBy({ side }: Worker<Request, Response>): number | undefined {
    return (this.#settings.usedBy ?? processorMsOf)(side.pid);
  }

  #onDeath(worker: Worker<Request, Response>): void {
    const [job] = worker.jobs;
    if (job !== undefined) job.deaths += 1;
    if (job === undefined || job.deaths >= MOST_DEATHS) {
      this.#lose(worker, 'the process ended');
      return;
    }
    if (!this.#workers.has(worker)) return;
    this.#queue.unshift(...worker.jobs.splice(0));
    this.#end(worker);
    this.#deal();
  }

  #lose(worker: Worker<Request, Response>, why: string): void {
    if (!this.#workers.has(worker)) return;
    const [failed, ...others] = worker.jobs.splice(0);
    this.#end(worker);
    this.#queue.unshift(...others);
    const message = `a process beside this one failed: ${why}`;
    failed?.reject(new CodedError(SIDE_LOST, message, { data: undefined }));
    this.#deal();
  }

  /** Ends a worker, and returns the jobs that were sent to it ahead to the queue. */
  #replace(worker: Worker<Request, Response>): void {
    this.#queue.unshift(...worker.jobs.splice(0));
    this.#end(worker);
  }

  #end(worker: Worker<Request, Response>): void {
    if (!this.#workers.delete(worker)) return;
    worker.timer?.[Symbol.dispose]();
    const ended = worker.side.stop();
    this.#ending.add(ended);
    void ended.finally(() => this.#ending.delete(ended));
  }
}

function closedError(): CodedError {
  return new CodedError('side-pool-closed', 'the processes beside this one were closed', {
    data: undefined,
  });
}
