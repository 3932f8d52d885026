// Which client each task belongs to, and on which server it runs: a client can reach only the tasks that it was told
// about itself.

import { isObject, type JsonObject } from '@plugboard/base';
import type { Client } from '../client/index.ts';

/** Of one principal, which takes nothing from others: the oldest are forgotten first. */
const MOST_TASKS = 10_000;

interface KnownTask {
  readonly server: string;
  readonly owner: string;
}

export class ClientTasks {
  /** By principal, and by the names that servers gave them. */
  readonly #tasks = new Map<string, Map<string, KnownTask>>();

  /** What a request of a client was answered with may be a task. */
  note(result: JsonObject, server: string, { principal, owner }: Client): void {
    const { task, taskId = isObject(task) ? task['taskId'] : undefined } = result;
    if (typeof taskId !== 'string') return;
    const own = this.#tasks.get(principal) ?? new Map<string, KnownTask>();
    this.#tasks.set(principal, own);
    // A server cannot take over the name of a task of another.
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
