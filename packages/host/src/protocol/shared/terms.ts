// What a host and the broker of a shared server say to each other beside the messages of the protocol. Both
// go over one socket as lines; these start with a word that no message has. Both sides are of one version,
// since that is part of the name of the socket.

import { isObject, parseJson } from '@plugboard/base';
import type { ProcessEvidence, ProtocolFailure } from '../neutral/failure.ts';
import type { Root } from '../neutral/roots.ts';
import type { RequestId } from '../frame/failed-answer.ts';
import { MAX_DEPTH, MAX_MESSAGE_BYTES } from '../frame/limits.ts';

/** What a broker is started with. It goes over a pipe, since variables hold secrets. */
export interface BrokerTerms {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
  readonly era: 'legacy' | 'modern';
  /** What people call the server. */
  readonly name: string;
  /** The folder of the host that started it, and which entry that had for the server. */
  readonly place: string;
  readonly fingerprint: string;
  readonly socket: string;
  /** Only who knows this, and so all that it is made of, is let in. */
  readonly proof: string;
  /** Where running processes are written down. */
  readonly ledger: string;
  /** The broker ends when no host was there for so long. */
  readonly idleMs: number;
  /** The folders that the server is told; nothing where it is not told any. */
  readonly roots: readonly Root[] | undefined;
  readonly sampling: boolean;
}

export interface BrokerState {
  readonly name: string;
  readonly place: string;
  readonly fingerprint: string;
  readonly pid: number;
  readonly serverPid: number | undefined;
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly clients: number;
}

export type ToBroker =
  | { readonly plugboard: 'join'; readonly proof: string }
  | { readonly plugboard: 'stop' }
  /** The entry is another now: nobody will come again. */
  | { readonly plugboard: 'retire' };

export type ToHost =
  | ({ readonly plugboard: 'state' } & BrokerState)
  | { readonly plugboard: 'refused'; readonly why: 'proof' | 'full' }
  | {
      readonly plugboard: 'joined';
      /** The server has answered before: it is past whatever it does at its start. */
      readonly isRunning: boolean;
      /** What a legacy server answered to the handshake, once it has. */
      readonly handshake: unknown;
      readonly evidence: ProcessEvidence;
    }
  /** `isYours`: this host is the one that keeps it. */
  | { readonly plugboard: 'stderr' | 'stray'; readonly text: string; readonly isYours: boolean }
  /** An answer that could not be read. */
  | { readonly plugboard: 'failed'; readonly id: RequestId; readonly failure: ProtocolFailure }
  | { readonly plugboard: 'ended'; readonly failure: ProtocolFailure };

const START = '{"plugboard":';

export function lineOf(said: ToBroker | ToHost): string {
  const { plugboard, ...rest } = said;
  return `${JSON.stringify({ plugboard, ...rest })}\n`;
}

/** Ids that are rewritten take a little more room. */
export const MAX_LINE_BYTES = MAX_MESSAGE_BYTES + 1024 * 1024;

/** `undefined` for a line that is a message of the protocol. */
function readTerms(line: string): Readonly<Record<string, unknown>> | undefined {
  if (!line.startsWith(START)) return undefined;
  const parsed = parseJson(line, { maxLength: Number.POSITIVE_INFINITY, maxDepth: MAX_DEPTH });
  return parsed.ok && isObject(parsed.value) ? parsed.value : undefined;
}

// The other side is this very program: what starts so is of its making.

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

/** The file beside a socket that says which process listens there. */
export function noteOf(socket: string): string {
  return socket.replace(SOCKET, '.pid');
}
