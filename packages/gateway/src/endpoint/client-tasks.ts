// Which client each task belongs to, and on which server it runs: a client can reach only the tasks that it was told
// about itself.

import { isObject, type JsonObject } from '@plugboard/base';
import type { Client } from '../client/index.ts';

/** Of all clients together, the oldest are forgotten first. */
const MOST_TASKS = 10_000;

interface KnownTask {
  readonly server: string;
  readonly owner: string;
}

export class ClientTasks {
  readonly #tasks = new Map<string, KnownTask>();

  /** What a request of a client was answered with may be a task. */
  note(result: JsonObject, server: string, { owner }: Client): void {
    const { task, taskId = isObject(task) ? task['taskId'] : undefined } = result;
    if (typeof taskId !== 'string') return;
    const known = this.#tasks.get(taskId);
    // A server cannot take over the name of a task of another.
    if (known !== undefined) return;
    this.#tasks.set(taskId, { server, owner });
    const [oldest] = this.#tasks.keys();
    if (this.#tasks.size > MOST_TASKS && oldest !== undefined) this.#tasks.delete(oldest);
  }

  /** The server of a task of this client. */
  serverOf(taskId: unknown, { owner }: Client): string | undefined {
    const known = typeof taskId === 'string' ? this.#tasks.get(taskId) : undefined;
    return known?.owner === owner ? known.server : undefined;
  }

  /** The servers that have tasks of this client. */
  serversOf({ owner }: Client): readonly string[] {
    const own = [...this.#tasks.values()].filter((task) => task.owner === owner);
    return [...new Set(own.map(({ server }) => server))];
  }
}
