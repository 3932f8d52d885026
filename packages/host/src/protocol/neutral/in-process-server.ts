// A server that lives in this very process, as the embedding program hands it over.

import type { Transport } from '@modelcontextprotocol/client';

/** Anything that can be connected to a transport, such as the SDK's `McpServer`. */
export interface ConnectableServer {
  connect(transport: Transport): Promise<void>;
  /** Says that it lists the same tools in every run: what it listed may be kept under this name. */
  readonly edition?: string;
}

/**
 * What an embedding program hands over: a server, or a transport with one at its other end. A server
 * is connected anew for every session; a transport has one session in it.
 */
export type InProcessServer = ConnectableServer | Transport;
