// What an endpoint tells a client that connects: the gateway's own capabilities, or those of the one server behind it.

import { isObject, type JsonObject } from '@plugboard/base';
import type { Era } from '@plugboard/host/relay';
import type { Exchange } from '../client/index.ts';
import { metaOf, type RpcReply, SERVER_INFO } from '../message/index.ts';
import { outcomeReply } from './outcome-reply.ts';
import type { UpstreamOf } from './upstream.ts';

/** Capabilities that differ by the era of the client. */
const CAPABILITIES: Readonly<Record<Era, JsonObject>> = {
  legacy: { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
  modern: { extensions: { 'io.modelcontextprotocol/tasks': {} } },
};

/** Of an endpoint with several servers. */
export function gatewayGreeting(era: Era, version: string): JsonObject {
  return {
    capabilities: {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      completions: {},
      logging: {},
      ...CAPABILITIES[era],
    },
    serverInfo: identityOf(version),
  };
}

/** Of the endpoint of one server. Connects to it. */
export async function serverGreeting(
  { server, version }: { readonly server: string; readonly version: string },
  exchange: Exchange,
  upstreamOf: UpstreamOf,
): Promise<RpcReply> {
  const greeting = await upstreamOf(server, exchange, async ({ relay }): Promise<RpcReply> => {
    const said = await relay.hello(server);
    if (!said.ok) return outcomeReply(said.error, 'initialize');
    const { serverInfo, capabilities, instructions } = said.value;
    const info = serverInfo ?? metaOf(said.value)[SERVER_INFO];
    return {
      result: {
        capabilities: isObject(capabilities) ? capabilities : {},
        serverInfo: isObject(info) ? info : identityOf(version),
        ...(typeof instructions === 'string' ? { instructions } : {}),
      },
    };
  });
  return greeting ?? outcomeReply({ kind: 'cancelled', server, tool: 'initialize' }, 'initialize');
}

function identityOf(version: string): JsonObject {
  return { name: 'plugboard', title: 'Plugboard', version };
}
