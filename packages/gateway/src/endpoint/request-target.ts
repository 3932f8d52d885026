// Finds the server for a request of a client, and the parameters with that server's own names.

import { type CancelSignal, isObject, type Json, type JsonObject } from '@plugboard/base';
import type { Era } from '@plugboard/host/relay';
import type { Client, Exchange } from '../client/index.ts';
import {
  failed,
  INVALID_PARAMS,
  METHOD_NOT_FOUND,
  MISSING_CAPABILITY,
  type RpcFailure,
  textOr,
} from '../message/index.ts';
import type { ClientTasks } from './client-tasks.ts';
import type { Lists } from './lists.ts';
import { type Scope, serversIn } from './scope.ts';

interface TargetPorts {
  readonly scope: Scope;
  readonly lists: Lists;
  readonly tasks: ClientTasks;
}

/** The server, and the parameters with its own names. */
export type RequestTarget = { readonly server: string; readonly params: JsonObject } | RpcFailure;

/** The error for a resource that no server has. */
const NO_RESOURCE: Readonly<Record<Era, number>> = { legacy: -32_002, modern: INVALID_PARAMS };

interface TargetedRequest {
  readonly method: string;
  readonly params: JsonObject;
}

/** Synchronous if one server is behind the endpoint, or if the request is about a task. */
export function requestTarget(
  ports: TargetPorts,
  request: TargetedRequest,
  exchange: Exchange,
): RequestTarget | Promise<RequestTarget> {
  const { scope, lists } = ports;
  const { method, params } = request;
  const { client } = exchange;
  if (method.startsWith('tasks/')) {
    return taskMethodRefusal(method, client) ?? taskTarget(ports, params, client);
  }
  return scope.kind === 'server'
    ? { server: scope.server, params }
    : listedTarget(lists, request, exchange);
}

async function listedTarget(
  lists: Lists,
  { method, params }: TargetedRequest,
  { signal, client }: Exchange,
): Promise<RequestTarget> {
  const { name, uri, ref } = params;
  switch (method) {
    case 'tools/call':
    case 'prompts/get': {
      const kind = method === 'tools/call' ? 'tool' : 'prompt';
      const target = await lists[kind](textOr(name), signal);
      return target === undefined
        ? failed(INVALID_PARAMS, `There is no ${kind} ${quoted(name)}`)
        : { server: target.server, params: { ...params, name: target.name } };
    }
    case 'resources/read':
    case 'resources/subscribe':
    case 'resources/unsubscribe': {
      const owner = await lists.ownerOf(textOr(uri), signal);
      return owner.ok
        ? { server: owner.value, params }
        : failed(NO_RESOURCE[client.era], owner.error, { uri: textOr(uri).slice(0, 200) });
    }
    case 'completion/complete':
      return completionTarget(lists, params, { ref: isObject(ref) ? ref : {}, signal });
    default:
      return failed(METHOD_NOT_FOUND, `Method not found: ${method.slice(0, 100)}`);
  }
}

const TASKS = 'io.modelcontextprotocol/tasks';
/** In the modern era, tasks are an extension that a client has to declare. */
const TASK_METHODS: ReadonlySet<string> = new Set(['tasks/get', 'tasks/update', 'tasks/cancel']);

/** Why the client cannot use this method of tasks. */
function taskMethodRefusal(method: string, { era, capabilities }: Client): RpcFailure | undefined {
  if (era === 'legacy') return undefined;
  if (!TASK_METHODS.has(method))
    return failed(METHOD_NOT_FOUND, `Method not found: ${method.slice(0, 100)}`);
  const { extensions } = capabilities;
  if (isObject(extensions) && extensions[TASKS] !== undefined) return undefined;
  const requiredCapabilities = { extensions: { [TASKS]: {} } };
  const message = `${method} needs the extension ${TASKS}, which this client has not declared`;
  return failed(MISSING_CAPABILITY, message, { requiredCapabilities });
}

function taskTarget(
  { scope, tasks }: TargetPorts,
  params: JsonObject,
  client: Client,
): RequestTarget {
  const { taskId } = params;
  const server = tasks.serverOf(taskId, client);
  if (server !== undefined && serversIn(scope, [server]).length > 0) return { server, params };
  return failed(INVALID_PARAMS, `This client has no task ${quoted(taskId)}`);
}

async function completionTarget(
  lists: Lists,
  params: JsonObject,
  { ref, signal }: { readonly ref: JsonObject; readonly signal: CancelSignal },
): Promise<RequestTarget> {
  if (ref['type'] === 'ref/prompt') {
    const target = await lists.prompt(textOr(ref['name']), signal);
    if (target !== undefined) {
      return { server: target.server, params: { ...params, ref: { ...ref, name: target.name } } };
    }
  } else {
    const owner = await lists.ownerOf(textOr(ref['uri']), signal);
    if (owner.ok) return { server: owner.value, params };
  }
  return failed(INVALID_PARAMS, 'There is nothing of that name to complete');
}

function quoted(name: Json | undefined): string {
  return JSON.stringify(textOr(name).slice(0, 200));
}
