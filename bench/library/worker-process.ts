// The parent's side of a worker: starts it, asks for blocks of calls, ends it.

import { SideProcess } from '../measure/side-process.ts';
import type { Route } from './caller.ts';
import type { Block, CallerName } from './worker.ts';

export class WorkerProcess implements AsyncDisposable {
  readonly caller: CallerName;
  readonly #side: SideProcess<Block, number>;

  private constructor(caller: CallerName, side: SideProcess<Block, number>) {
    this.caller = caller;
    this.#side = side;
  }

  static async start(caller: CallerName, route: Route): Promise<WorkerProcess> {
    const side = await SideProcess.start<Block, number>('library/worker.ts', {
      args: [caller, route],
    });
    return new WorkerProcess(caller, side);
  }

  /** Milliseconds that the block took. */
  run(block: Block): Promise<number> {
    return this.#side.ask(block);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#side[Symbol.asyncDispose]();
  }
}
