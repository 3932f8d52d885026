// A few processes that run one program and share a queue of jobs. They start when there is work, end after a while
// without any, and are replaced when one dies. The job of a process that died is tried again, since something else may
// have killed it, and fails after it has cost several processes.

import { type Clock, CodedError } from '@plugboard/base';
import { processorMsOf, type SideProcess, startSideProcess } from './side-process.ts';
import type { Job, JobEnd } from './side-program.ts';

/** The code of the error of a job whose process died or was given up. */
export const SIDE_LOST = 'side-process-lost';

export interface SidePoolSettings {
  readonly program: URL;
  readonly size: number;
  readonly clock: Clock;
  readonly idleMs: number;
  /** How much processor time a worker may use for one job before it is ended. */
  readonly mostMsPerJob: number;
  /** The processor time that a process has used; `undefined` if that is unknown. Tests have their own. */
  readonly usedBy?: (pid: number | undefined) => number | undefined;
}

/** A machine that is busy gives a worker little time, but one that waits for this many times as long is stuck. */
const MOST_WAITS = 15;

/** How many processes may die at one job. */
const MOST_DEATHS = 3;

/** How many jobs are queued at a worker, so that it need not wait for the next. */
const AT_HAND = 2;

interface PendingJob<Request, Response> extends Job<Request> {
  readonly resolve: (response: Response) => void;
  readonly reject: (reason: Error) => void;
  /** Processes that died at it. */
  deaths: number;
}

interface Worker<Request, Response> {
  readonly side: SideProcess;
  /** The first is the one it works at. */
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

  /** Those that are alive now. */
  get processes(): number {
    return this.#workers.size;
  }

  /** Starts all processes before there are jobs; those that get none end as idle ones do. */
  prepare(): void {
    while (!this.#isClosed && this.#workers.size < this.#settings.size) this.#watch(this.#start());
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

  #forget(id: number): void {
    const index = this.#queue.findIndex((job) => job.id === id);
    if (index >= 0) this.#queue.splice(index, 1);
  }

  /** Hands jobs to processes: first to idle ones, then to new ones, then ahead of need. */
  #deal(): void {
    this.#fill(1);
    while (this.#queue.length > 0 && this.#workers.size < this.#settings.size) {
      this.#hand(this.#start());
    }
    this.#fill(AT_HAND);
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
      // Both ends are ours and are built together.
      onMessage: (message) => this.#finish(worker, message as JobEnd<Response>),
    });
    const worker: Worker<Request, Response> = { side, jobs: [], timer: undefined };
    this.#workers.add(worker);
    void side.ended.then(() => this.#hasDied(worker));
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

  /** One timer for each worker: for the job it is at, or for how long it is idle. */
  #watch(worker: Worker<Request, Response>): void {
    const { clock, idleMs } = this.#settings;
    worker.timer?.[Symbol.dispose]();
    if (worker.jobs.length === 0) {
      // An idle worker keeps no process alive.
      worker.side.rest();
      worker.timer = clock.after(idleMs, () => this.#end(worker));
    } else {
      worker.side.hold();
      this.#limit(worker, { before: this.#usedBy(worker), waits: 1 });
    }
  }

  /** Ends a worker that has used its time, or as long as that many times over where it has not. */
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

  #hasDied(worker: Worker<Request, Response>): void {
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

  /** It is now working on an abandoned job: the job was only queued there, and another process does it. */
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
