// Answers `tasks/list` of a legacy client with its own tasks on all servers of its endpoint. A server may also list those of
// other clients.

import { isObject, type Json, type JsonObject } from '@plugboard/base';
import type { Exchange } from '../client/index.ts';
import type { RpcReply } from '../message/index.ts';
import type { ClientTasks } from './client-tasks.ts';
import { type Scope, serversIn } from './scope.ts';
import type { Upstream, UpstreamOf } from './upstream.ts';

/** How many pages are read from one server. */
const MOST_PAGES = 20;

export async function listTasks(
  { tasks, scope }: { readonly tasks: ClientTasks; readonly scope: Scope },
  exchange: Exchange,
  upstreamOf: UpstreamOf,
): Promise<RpcReply> {
  const { client } = exchange;
  const lists = serversIn(scope, tasks.serversOf(client)).map((server) =>
    upstreamOf(server, exchange, async (upstream) => {
      const found = await tasksOf(server, upstream, exchange);
      return found.filter(
        (task) => isObject(task) && tasks.serverOf(task['taskId'], client) === server,
      );
    }),
  );
  const found = await Promise.all(lists);
  return { result: { tasks: found.flatMap((tasksOfServer) => tasksOfServer ?? []) } };
}

async function tasksOf(
  server: string,
  upstream: Upstream,
  exchange: Exchange,
): Promise<readonly Json[]> {
  const found: Json[] = [];
  let params: JsonObject = {};
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answered = await upstream.send({ server, method: 'tasks/list', params }, exchange);
    if (!answered.ok) break;
    const { tasks, nextCursor } = answered.value;
    found.push(...(Array.isArray(tasks) ? (tasks as readonly Json[]) : []));
    if (typeof nextCursor !== 'string') break;
    params = { cursor: nextCursor };
  }
  return found;
}
