// Sends a notification that MCP does not define to a server of this process or of an editor. No other server is sent
// anything that it did not request.

import { never } from '@plugboard/base';
import type { ConnectionState } from '../connection/index.ts';
import { ownNotification, type ProtocolFailure } from '../protocol/index.ts';
import type { ServerSet } from './server-set.ts';

export type NotifyOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'unknown-server' }
  /** The server is neither in this process nor of an editor. */
  | { readonly kind: 'not-for-this-server' }
  /** The method is invalid or defined by MCP, or the parameters are not an object or too large. */
  | { readonly kind: 'bad-notification' }
  /** The server could not be connected. */
  | { readonly kind: 'unavailable'; readonly state: ConnectionState }
  | { readonly kind: 'failed'; readonly failure: ProtocolFailure };

export async function notify(
  servers: Pick<ServerSet, 'get' | 'connect'>,
  server: string,
  { method, params }: { readonly method: string; readonly params: unknown },
): Promise<NotifyOutcome> {
  const known = servers.get(server);
  if (known === undefined) return { kind: 'unknown-server' };
  if (!known.speaksFreely) return { kind: 'not-for-this-server' };
  const notification = ownNotification(method, params);
  if (notification === undefined) return { kind: 'bad-notification' };
  const session = await servers.connect(server, never);
  if (!session.ok) return { kind: 'unavailable', state: session.error };
  const sent = await session.value.notify(notification);
  return sent.ok ? { kind: 'sent' } : { kind: 'failed', failure: sent.error };
}
