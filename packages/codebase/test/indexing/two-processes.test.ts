import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { tempFolder, verifies, waitUntil } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';

const PROGRAM = fileURLToPath(new URL('./fixtures/indexing-process.mjs', import.meta.url));

interface ProcessReport {
  readonly role?: string;
  readonly phase?: string;
  readonly words?: string;
  readonly paths?: readonly string[];
}

class IndexingProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #exit: Promise<unknown>;
  readonly said: ProcessReport[] = [];

  constructor(root: string, folder: string) {
    this.#child = spawn(process.execPath, [PROGRAM, root, folder], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#exit = once(this.#child, 'exit');
    if (this.#child.stdout === null) throw new Error('no output');
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      this.said.push(JSON.parse(line) as ProcessReport);
    });
  }

  async until(role: string, phase: string): Promise<void> {
    await waitUntil(() => this.#lastState(role, phase), {
      describe: () => `${role} and ${phase}; it said ${JSON.stringify(this.said)}`,
    });
  }

  #lastState(role: string, phase: string): boolean {
    const last = this.said.findLast((one) => one.role !== undefined);
    return last?.role === role && last.phase === phase;
  }

  async find(words: string): Promise<readonly string[]> {
    const before = this.said.length;
    this.#child.stdin?.write(`${words}\n`);
    const answer = await waitUntil(
      () => this.said.slice(before).find((one) => one.words === words) ?? false,
      { describe: `an answer about ${words}` },
    );
    return answer.paths ?? [];
  }

  async untilFound(words: string, paths: readonly string[]): Promise<void> {
    await waitUntil(async () => (await this.find(words)).join() === paths.join(), {
      describe: `${words} to be found`,
    });
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exit;
  }

  /** Closes its input, and returns its exit code. */
  async end(): Promise<unknown> {
    this.#child.stdin?.end();
    const [code] = (await this.#exit) as [unknown];
    return code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}

describe('two processes on one tree', () => {
  verifies('COD-06');

  it('share the index: one writes, the other follows and takes over when the first is killed', async () => {
    await using tree = await tempFolder();
    await using cache = await tempFolder();
    await tree.write('src/one.ts', 'export const beginning = 1;\n');
    await using first = new IndexingProcess(tree.path, cache.path);
    await first.until('writer', 'ready');
    await using second = new IndexingProcess(tree.path, cache.path);
    await second.until('reader', 'following');
    expect(await second.find('beginning')).toEqual(['src/one.ts']);

    await tree.write('src/two.ts', 'export const middle = 1;\n');
    await second.untilFound('middle', ['src/two.ts']);

    await first.kill();
    await tree.write('src/three.ts', 'export const ending = 1;\n');
    await second.until('writer', 'ready');
    await second.untilFound('ending', ['src/three.ts']);
    expect(await second.find('beginning')).toEqual(['src/one.ts']);

    await using third = new IndexingProcess(tree.path, cache.path);
    await third.until('reader', 'following');
    // Nothing keeps it alive.
    expect(await second.end()).toBe(0);
    await third.until('writer', 'ready');
  });
});
