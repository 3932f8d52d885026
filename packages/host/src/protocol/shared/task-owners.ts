// Maps each task of the server to the host whose call it answers. Drops finished tasks, and the oldest beyond a limit.

import { isObject } from '@plugboard/base';
import type { Fields, Line } from './line.ts';

interface OwnedTask {
  readonly line: Line;
  /** The `_meta` of the call: a modern server requires it with every request. */
  readonly meta: Fields | undefined;
}

const MAX_TASKS = 4096;
const OVER: ReadonlySet<unknown> = new Set(['completed', 'failed', 'cancelled']);

export class TaskOwners {
  readonly #tasks = new Map<string, OwnedTask>();

  /** Records the task in an answer to this host. */
  note(line: Line, result: Fields, meta: Fields | undefined): void {
    const task = isObject(result['task']) ? result['task'] : result;
    const { taskId, status } = task;
    if (typeof taskId !== 'string') return;
    if (OVER.has(status)) this.#tasks.delete(taskId);
    else if (!this.#tasks.has(taskId)) this.#tasks.set(taskId, { line, meta });
    for (const oldest of this.#tasks.keys()) {
      if (this.#tasks.size <= MAX_TASKS) break;
      this.#tasks.delete(oldest);
    }
  }

  isOpenTo(line: Line, taskId: unknown): boolean {
    const owner = this.ownerOf(taskId);
    return owner === undefined || owner === line;
  }

  ownerOf(taskId: unknown): Line | undefined {
    return typeof taskId === 'string' ? this.#tasks.get(taskId)?.line : undefined;
  }

  /** Removes the host. Returns its tasks, which no host waits for any more. */
  leave(line: Line): readonly { readonly taskId: string; readonly meta: Fields | undefined }[] {
    const left = [...this.#tasks].filter(([, owned]) => owned.line === line);
    for (const [taskId] of left) this.#tasks.delete(taskId);
    return left.map(([taskId, { meta }]) => ({ taskId, meta }));
  }
}
