// The control messages between a host and the broker of a shared server. They are lines on the same socket as MCP
// messages, and start with a key that no message has. Both sides have the same version, since that is part of the
// socket's name.

import { isObject, parseJson } from '@plugboard/base';
import type { SpawnSpec } from '../../platform/index.ts';
import type { ProcessEvidence, ProtocolFailure } from '../neutral/failure.ts';
import type { SharedServer } from '../neutral/launch.ts';
import type { Root } from '../neutral/roots.ts';
import type { RequestId } from '../frame/failed-answer.ts';
import { MAX_DEPTH, MAX_MESSAGE_BYTES } from '../frame/limits.ts';

/** Everything that identifies a shared server and its user. Hosts with equal values share one server. */
export interface SharedIdentity
  extends SpawnSpec, Pick<SharedServer, 'grants' | 'ledger' | 'version'> {
  readonly era: 'legacy' | 'modern';
  /** The roots that the server gets; absent if it gets none. */
  readonly roots: readonly Root[] | undefined;
}

/** The entry of the host that started the broker. */
export type SharedEntry = Pick<SharedServer, 'name' | 'place' | 'fingerprint'>;

/** The start parameters of a broker. Sent over a pipe, since variables contain secrets. */
export interface BrokerTerms extends SharedIdentity, SharedEntry, Pick<SharedServer, 'idleMs'> {
  readonly socket: string;
  /** Only a host that has this, and so everything that it is derived from, is admitted. */
  readonly proof: string;
}

export interface BrokerState extends SharedEntry {
  readonly pid: number;
  readonly serverPid: number | undefined;
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly clients: number;
}

export type ToBroker =
  | { readonly plugboard: 'join'; readonly proof: string }
  | { readonly plugboard: 'stop' }
  /** The entry has changed, so no host will join again. */
  | { readonly plugboard: 'retire' };

export type ToHost =
  | ({ readonly plugboard: 'state' } & BrokerState)
  | { readonly plugboard: 'refused'; readonly why: 'proof' | 'full' }
  | {
      readonly plugboard: 'joined';
      /** The server has answered a request, so its startup is complete. */
      readonly isRunning: boolean;
      /** A legacy server's answer to the handshake, once there is one. */
      readonly handshake: unknown;
      readonly evidence: ProcessEvidence;
    }
  /** `isYours`: this host records the output. */
  | { readonly plugboard: 'stderr' | 'stray'; readonly text: string; readonly isYours: boolean }
  /** An answer that could not be read. */
  | { readonly plugboard: 'failed'; readonly id: RequestId; readonly failure: ProtocolFailure }
  | { readonly plugboard: 'ended'; readonly failure: ProtocolFailure };

const START = '{"plugboard":';

export function messageLine(message: ToBroker | ToHost): string {
  const { plugboard, ...rest } = message;
  return `${JSON.stringify({ plugboard, ...rest })}\n`;
}

/** Rewritten ids take slightly more room. */
export const MAX_LINE_BYTES = MAX_MESSAGE_BYTES + 1024 * 1024;

/** Returns `undefined` for an MCP message. */
function readTerms(line: string): Readonly<Record<string, unknown>> | undefined {
  if (!line.startsWith(START)) return undefined;
  const parsed = parseJson(line, { maxLength: Number.POSITIVE_INFINITY, maxDepth: MAX_DEPTH });
  return parsed.ok && isObject(parsed.value) ? parsed.value : undefined;
}

// The other side is the same program, so these lines need no check.

export function readFromHost(line: string): ToBroker | undefined {
  return readTerms(line) as ToBroker | undefined;
}

export function readFromBroker(line: string): ToHost | undefined {
  return readTerms(line) as ToHost | undefined;
}

const SOCKET = /\.sock$/;

export function isSocketName(name: string): boolean {
  return /^[0-9a-f]{32}\.sock$/.test(name);
}

/** The file beside a socket with the id of the process that listens there. */
export function noteOf(socket: string): string {
  return socket.replace(SOCKET, '.pid');
}
