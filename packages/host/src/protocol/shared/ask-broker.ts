// Asks a broker for its state, and whether one listens at a socket at all.

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

/** A broker that has not answered by then is stopped or overloaded. */
const ANSWER_MS = 2000;

export type DialResult =
  | { readonly kind: 'answered'; readonly socket: Socket }
  /** No process listens there. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'busy' };

const ABSENT: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ECONNREFUSED']);

export async function dial(path: string, signal: AbortSignal): Promise<DialResult> {
  const socket = connect(path);
  const dialled = new Promise<DialResult>((resolve) => {
    socket.once('connect', () => resolve({ kind: 'answered', socket }));
    // Later errors are reported by `close`.
    socket.on('error', (thrown) =>
      resolve({ kind: ABSENT.has(codeOf(thrown)) ? 'absent' : 'busy' }),
    );
  });
  try {
    return await abortable(dialled, signal);
  } catch (thrown) {
    socket.destroy();
    throw thrown;
  }
}

/** The broker's state, after delivering the message, if one is given. */
export async function askBroker(
  path: string,
  told: ToBroker | undefined,
  clock: Clock,
): Promise<BrokerState | 'absent' | undefined> {
  using limit = deadline(ANSWER_MS, clock, never);
  try {
    const dialled = await dial(path, limit.signal);
    if (dialled.kind !== 'answered') return dialled.kind === 'absent' ? 'absent' : undefined;
    const { socket } = dialled;
    try {
      const splitter = new LineSplitter(MAX_LINE_BYTES);
      const state = new Promise<BrokerState | undefined>((resolve) => {
        socket.on('data', (chunk: Buffer) =>
          splitter.push(chunk, (line) => {
            const said = line.kind === 'line' ? readFromBroker(line.text) : undefined;
            if (said?.plugboard !== 'state') return;
            const { plugboard: _, ...known } = said;
            resolve(known);
          }),
        );
        socket.once('close', () => resolve(undefined));
      });
      if (told !== undefined) socket.write(messageLine(told));
      return await abortable(state, limit.signal);
    } finally {
      socket.end();
    }
  } catch {
    // The time is up.
    return undefined;
  }
}
