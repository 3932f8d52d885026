// Calls through the host, with all of its steps: resolve, check, decide, connect, call, fit.

import { allowAll, createHost } from '@plugboard/host';
import { fastEchoServer, sdkEchoServer } from '../places.ts';
import type { Caller, Route } from './caller.ts';

/** As many rules as a careful person may have; some of them match arguments. */
const RULES = {
  allow: ['echo/echo'],
  ask: Array.from({ length: 100 }, (_, index) => `mcp__server${index}__write_*`),
  deny: Array.from({ length: 100 }, (_, index) =>
    index % 10 === 0
      ? { tool: '*/*', arguments: [{ path: 'message', equals: `secret ${index}` }] }
      : `mcp__*__delete_${index}_*`,
  ),
};

export async function plugboardCaller(route: Route): Promise<Caller> {
  const host = await createHost({
    files: 'none',
    approve: allowAll,
    permissions: RULES,
    ...(route === 'in-process'
      ? { inProcess: { echo: await inProcessServer() } }
      : { servers: { echo: entryFor(route) } }),
  });
  const { tools, problems } = await host.tools();
  if (tools.length !== 1) throw new Error(`no tools: ${JSON.stringify(problems)}`);
  const reference = { server: 'echo', tool: 'echo' };
  return {
    async echo(message) {
      const outcome = await host.call(reference, { message });
      if (outcome.kind !== 'result') throw new Error(`the call came to ${JSON.stringify(outcome)}`);
      const part = outcome.parts[0];
      return part?.kind === 'text' ? part.text : '';
    },
    close: () => host.close(),
  };
}

function entryFor(route: Exclude<Route, 'in-process'>): Readonly<Record<string, unknown>> {
  return {
    command: process.execPath,
    args: [route === 'fast' ? fastEchoServer : sdkEchoServer],
    ...(route === 'sdk-modern' ? { protocol: 'modern' } : {}),
  };
}

async function inProcessServer() {
  const { echoServer } = await import('../servers/echo-server.js');
  return echoServer();
}
