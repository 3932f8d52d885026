// Gives a command a host and closes it whatever happens, so that no server outlives the command.

import { allowAll, createHost, type Host, type ServerStatus } from '@plugboard/host';
import { hostEnvironment } from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { printDiagnostics } from '../print/diagnostics.ts';
import { place } from '../print/place.ts';
import { unknownServer } from './get.ts';
import { readServers } from './list.ts';

export async function withHost<T>(
  context: Context,
  use: (host: Host) => Promise<T>,
): Promise<T> {
  // Whoever types the name of a tool has asked for that very call.
  await using host = await createHost({ approve: allowAll });
  if (!context.isJson) printDiagnostics(context, host.diagnostics, hostEnvironment().cwd);
  return await use(host);
}

/** Fails with a suggestion when the server is not configured. */
export async function requireServer(host: Host, name: string): Promise<ServerStatus> {
  const server = host.servers.find((candidate) => candidate.name === name);
  if (server === undefined) throw unknownServer(name, await readServers());
  return server;
}

export function whereOf(server: ServerStatus): string {
  return place(server.origin, hostEnvironment().cwd);
}
