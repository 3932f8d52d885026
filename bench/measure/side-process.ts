// The parent's side of a process that answers questions: starts it, asks, ends it. The two ends agree on the questions;
// the child calls `answerParent`.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { nodeUnderTest } from '../node-under-test.ts';
import { inBench } from '../places.ts';
import type { Answer } from './answer-parent.ts';

export interface SideProcessOptions {
  readonly args?: readonly string[];
  /** Flags of Node itself. */
  readonly flags?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** The environment of this process by default. */
  readonly cwd?: string;
}

export class SideProcess<Question extends object, Reply> implements AsyncDisposable {
  readonly #name: string;
  readonly #child: ChildProcess;

  private constructor(name: string, child: ChildProcess) {
    this.#name = name;
    this.#child = child;
  }

  /** `file` is a module of this folder. Resolves when it is ready for questions. */
  static async start<Question extends object, Reply>(
    file: string,
    { args = [], flags = [], env = process.env, cwd }: SideProcessOptions = {},
  ): Promise<SideProcess<Question, Reply>> {
    const child = fork(inBench(file), args, {
      execPath: nodeUnderTest().path,
      cwd,
      execArgv: [...flags, '--import', import.meta.resolve('tsx')],
      // With the settings for tests, it would load the sources instead of the build.
      env: { ...env, TSX_TSCONFIG_PATH: inBench('../tsconfig.json') },
    });
    const side = new SideProcess<Question, Reply>([file, ...args].join(' '), child);
    await side.#answer();
    return side;
  }

  async ask(question: Question): Promise<Reply> {
    this.#child.send(question);
    const { value } = await this.#answer();
    // The child replies with the result of its `answerParent` for this question.
    return value as Reply;
  }

  async #answer(): Promise<Answer> {
    const given = new AbortController();
    const ended = once(this.#child, 'exit', { signal: given.signal }).then(() => {
      throw new Error(`${this.#name} ended by itself`);
    });
    const [answer] = (await Promise.race([once(this.#child, 'message'), ended])) as [Answer];
    // The abort below rejects this promise, which no code awaits any more.
    ended.catch(() => {});
    given.abort();
    return answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    if (this.#child.connected) this.#child.disconnect();
    await exited;
  }
}
