// The parent's side of a worker: starts it, asks for blocks of calls, ends it.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { nodeUnderTest } from '../node-under-test.ts';
import { inBench } from '../places.ts';
import type { Route } from './caller.ts';
import type { Answer, Block, CallerName } from './worker.ts';

export class WorkerProcess implements AsyncDisposable {
  readonly caller: CallerName;
  readonly #child: ChildProcess;

  private constructor(caller: CallerName, child: ChildProcess) {
    this.caller = caller;
    this.#child = child;
  }

  static async start(caller: CallerName, route: Route): Promise<WorkerProcess> {
    const child = fork(inBench('library/worker.ts'), [caller, route], {
      execPath: nodeUnderTest().path,
      execArgv: ['--import', import.meta.resolve('tsx')],
      // With the settings for tests, it would load the sources instead of what was built.
      env: { ...process.env, TSX_TSCONFIG_PATH: inBench('../tsconfig.json') },
    });
    const worker = new WorkerProcess(caller, child);
    await worker.#answer();
    return worker;
  }

  /** Milliseconds that the block took. */
  async run(block: Block): Promise<number> {
    this.#child.send(block);
    const { ms } = await this.#answer();
    return ms!;
  }

  async #answer(): Promise<Answer> {
    const given = new AbortController();
    const ended = once(this.#child, 'exit', { signal: given.signal }).then(() => {
      throw new Error(`the worker for ${this.caller} ended by itself`);
    });
    const [answer] = (await Promise.race([once(this.#child, 'message'), ended])) as [Answer];
    // The wait for the end is over too, and nobody listens to how it ended.
    ended.catch(() => {});
    given.abort();
    return answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exited = once(this.#child, 'exit');
    this.#child.disconnect();
    await exited;
  }
}
