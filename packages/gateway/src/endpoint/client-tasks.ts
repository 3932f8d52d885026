// Records which client each task belongs to, and on which server it runs: a client can reach only the tasks of its own
// results.

import { isObject, type JsonObject } from '@plugboard/base';
import type { Client } from '../client/index.ts';

/** Per principal; the oldest are forgotten first. */
const MOST_TASKS = 10_000;

interface KnownTask {
  readonly server: string;
  readonly owner: string;
}

export class ClientTasks {
  /** By principal, then by the id that the server gave the task. */
  readonly #tasks = new Map<string, Map<string, KnownTask>>();

  /** Records the task of a result, if it is one. */
  note(result: JsonObject, server: string, { principal, owner }: Client): void {
    const { task, taskId = isObject(task) ? task['taskId'] : undefined } = result;
    if (typeof taskId !== 'string') return;
    const own = this.#tasks.get(principal) ?? new Map<string, KnownTask>();
    this.#tasks.set(principal, own);
    // A server cannot take over the id of another server's task.
    if (own.has(taskId)) return;
    own.set(taskId, { server, owner });
    const [oldest] = own.keys();
    if (own.size > MOST_TASKS && oldest !== undefined) own.delete(oldest);
  }

  /** The server of a task of this client. */
  serverOf(taskId: unknown, { principal, owner }: Client): string | undefined {
    const known = typeof taskId === 'string' ? this.#tasks.get(principal)?.get(taskId) : undefined;
    return known?.owner === owner ? known.server : undefined;
  }

  /** The servers that have tasks of this client. */
  serversOf({ principal, owner }: Client): readonly string[] {
    const own = [...(this.#tasks.get(principal)?.values() ?? [])];
    return [...new Set(own.filter((task) => task.owner === owner).map(({ server }) => server))];
  }
}
