// The worker's side of a `WorkerPool`: answers one job after the other. An error that a job throws
// ends the thread, since nobody can say what state it is in; the pool starts another.

import { parentPort } from 'node:worker_threads';

export interface Job<Request> {
  readonly id: number;
  readonly request: Request;
}

export interface JobDone<Response> {
  readonly id: number;
  readonly response: Response;
}

/** `work` is handed what the pool was; the caller knows its type. */
export function serveJobs(work: (request: unknown) => Promise<unknown>): void {
  const port = parentPort;
  if (port === null) throw new TypeError('this program runs in a worker thread only');
  let last = Promise.resolve();
  const answer = async ({ id, request }: Job<unknown>, before: Promise<void>): Promise<void> => {
    await before;
    const done: JobDone<unknown> = { id, response: await work(request) };
    port.postMessage(done, []);
  };
  port.on('message', (job: Job<unknown>) => {
    // Unhandled where it fails, which is what ends the thread.
    last = answer(job, last);
  });
}
