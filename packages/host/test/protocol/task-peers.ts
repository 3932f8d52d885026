// Clients that follow tasks, each connected to its own scripted server over one of the modern transports.

import { Client, type RequestOptions, type StandardSchemaV1 } from '@modelcontextprotocol/client';
import { type JsonObject, type Scope, systemClock } from '@plugboard/base';
import { type HttpScript, scriptedServer, startScriptedHttp, waitUntil } from '@plugboard/testkit';
import { httpLink } from '../../src/protocol/transport/http-transport.ts';
import { StdioTransport } from '../../src/protocol/transport/stdio-transport.ts';
import { TaskTransport } from '../../src/protocol/tasks/task-transport.ts';
import { stdioLaunch } from './cells.ts';

export interface TaskCell {
  readonly name: string;
  transport(script: HttpScript, scope: Scope): Promise<TaskTransport>;
}

export const taskCells: readonly TaskCell[] = [
  {
    name: 'stdio',
    transport(script) {
      const launch = stdioLaunch(scriptedServer(script), 'modern');
      const transport = new StdioTransport(launch, { clock: systemClock, ledger: undefined });
      return Promise.resolve(new TaskTransport(transport, systemClock));
    },
  },
  {
    name: 'http',
    async transport(script, scope) {
      const { url } = scope.use(await startScriptedHttp(script));
      return httpTasks(url);
    },
  },
];

export function httpTasks(url: string): TaskTransport {
  const { transport } = httpLink({ kind: 'http', url, headers: {}, era: 'modern' }, systemClock);
  return new TaskTransport(transport, systemClock);
}

export type ElicitAnswer =
  | { action: 'accept'; content: { confirm: boolean } }
  | { action: 'decline' };

export interface TaskPeer {
  readonly tasks: TaskTransport;
  readonly client: Client;
  /** A call that may become a task. */
  readonly call: (name: string, args: JsonObject, options?: RequestOptions) => Promise<JsonObject>;
  /** A call that does not declare support for tasks. */
  readonly plainCall: (name: string, args: JsonObject) => Promise<JsonObject>;
  /** The requests about tasks that the server received, without polls, once there are so many. */
  readonly asked: (count: number) => Promise<readonly JsonObject[]>;
}

export interface PeerOptions {
  readonly elicit?: () => Promise<ElicitAnswer>;
  readonly mode?: 'auto' | 'legacy' | { readonly pin: string };
}

const decline = (): Promise<ElicitAnswer> => Promise.resolve({ action: 'decline' });

export async function connectPeer(
  tasks: TaskTransport,
  scope: Scope,
  { elicit = decline, mode = { pin: '2026-07-28' } }: PeerOptions = {},
): Promise<TaskPeer> {
  const client = new Client(
    { name: 'tasks', version: '1.0.0' },
    {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: { mode },
    },
  );
  client.setRequestHandler('elicitation/create', elicit);
  await client.connect(tasks);
  scope.defer(() => client.close());
  const request = (params: Record<string, unknown>, options: RequestOptions): Promise<JsonObject> =>
    client.request({ method: 'tools/call', params }, ANY_OBJECT, options);
  const plainCall = (name: string, args: JsonObject): Promise<JsonObject> =>
    request({ name, arguments: args }, {});
  return {
    tasks,
    client,
    plainCall,
    async call(name, args, options = {}) {
      using call = tasks.begin();
      return await request({ name, arguments: args, _meta: call.meta }, options);
    },
    asked: (count) =>
      waitUntil(
        async () => {
          const { structuredContent } = await plainCall('task_log', {});
          const { requests } = structuredContent as { requests: readonly JsonObject[] };
          const asked = requests.filter(({ method }) => method !== 'tasks/get');
          return asked.length >= count ? asked : undefined;
        },
        { describe: `${count} requests about tasks` },
      ),
  };
}

const ANY_OBJECT: StandardSchemaV1<unknown, JsonObject> = {
  '~standard': {
    version: 1,
    vendor: 'plugboard',
    validate: (value) => ({ value: value as JsonObject }),
  },
};
