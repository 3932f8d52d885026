// Connects to the socket of a broker, and requests its state.

import { connect, type Socket } from 'node:net';
import { abortable, type Clock, codeOf, deadline, never } from '@plugboard/base';
import { LineSplitter } from '../frame/line-splitter.ts';
import {
  type BrokerState,
  messageLine,
  MAX_LINE_BYTES,
  readFromBroker,
  type ToBroker,
} from './terms.ts';

/** A broker that does not answer in this time is stopped or overloaded. */
const ANSWER_MS = 2000;

export type DialResult =
  | { readonly kind: 'answered'; readonly socket: Socket }
  /** No process listens at the socket. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'busy' };

const ABSENT: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ECONNREFUSED']);

export async function dial(path: string, signal: AbortSignal): Promise<DialResult> {
  const socket = connect(path);
  const dialed = new Promise<DialResult>((resolve) => {
    socket.once('connect', () => resolve({ kind: 'answered', socket }));
    // Later errors are reported by `close`.
    socket.on('error', (thrown) =>
      resolve({ kind: ABSENT.has(codeOf(thrown)) ? 'absent' : 'busy' }),
    );
  });
  try {
    return await abortable(dialed, signal);
  } catch (thrown) {
    socket.destroy();
    throw thrown;
  }
}

/** Returns the broker's state, after it has received `message`, if given. `undefined` if it does not answer. */
export async function askBroker(
  path: string,
  message: ToBroker | undefined,
  clock: Clock,
): Promise<BrokerState | 'absent' | undefined> {
  using limit = deadline(ANSWER_MS, clock, never);
  try {
    const dialed = await dial(path, limit.signal);
    if (dialed.kind !== 'answered') return dialed.kind === 'absent' ? 'absent' : undefined;
    const { socket } = dialed;
    try {
      const splitter = new LineSplitter(MAX_LINE_BYTES);
      const state = new Promise<BrokerState | undefined>((resolve) => {
        socket.on('data', (chunk: Buffer) =>
          splitter.push(chunk, (line) => {
            const answer = line.kind === 'line' ? readFromBroker(line.text) : undefined;
            if (answer?.plugboard !== 'state') return;
            const { plugboard: _, ...brokerState } = answer;
            resolve(brokerState);
          }),
        );
        socket.once('close', () => resolve(undefined));
      });
      if (message !== undefined) socket.write(messageLine(message));
      return await abortable(state, limit.signal);
    } finally {
      socket.end();
    }
  } catch {
    // The broker did not answer in time.
    return undefined;
  }
}
