// The parent's side of a worker: starts it, requests blocks of calls, ends it. Each worker has its own home, so that
// stored facts such as the era of a server do not affect the next measurement.

import { type Sandbox, sandbox } from '../measure/sandbox.ts';
import { SideProcess } from '../measure/side-process.ts';
import type { Route } from './caller.ts';
import type { Block, CallerName } from './worker.ts';

export class WorkerProcess implements AsyncDisposable {
  readonly caller: CallerName;
  readonly #side: SideProcess<Block, number>;
  readonly #box: Sandbox;

  private constructor(caller: CallerName, side: SideProcess<Block, number>, box: Sandbox) {
    this.caller = caller;
    this.#side = side;
    this.#box = box;
  }

  static async start(caller: CallerName, route: Route): Promise<WorkerProcess> {
    const box = sandbox({});
    const side = await SideProcess.start<Block, number>('library/worker.ts', {
      args: [caller, route],
      env: box.env,
    });
    return new WorkerProcess(caller, side, box);
  }

  /** Milliseconds that the block took. */
  run(block: Block): Promise<number> {
    return this.#side.ask(block);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#side[Symbol.asyncDispose]();
    this.#box[Symbol.dispose]();
  }
}
