// One word with a broker: whether one listens at a socket, and how it is.

import { connect, type Socket } from 'node:net';
import { abortable, type Clock, codeOf, deadline, never } from '@plugboard/base';
import { LineSplitter } from '../frame/line-splitter.ts';
import {
  type BrokerState,
  lineOf,
  MAX_LINE_BYTES,
  readFromBroker,
  type ToBroker,
} from './terms.ts';

/** One that does not answer by then is stopped, or busy beyond hope. */
const ANSWER_MS = 2000;

export type Dialled =
  | { readonly kind: 'answered'; readonly socket: Socket }
  /** Nobody listens there. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'busy' };

const NOBODY: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ECONNREFUSED']);

export async function dial(path: string, signal: AbortSignal): Promise<Dialled> {
  const socket = connect(path);
  const dialled = new Promise<Dialled>((resolve) => {
    socket.once('connect', () => resolve({ kind: 'answered', socket }));
    // What goes wrong later is told by `close`.
    socket.on('error', (thrown) =>
      resolve({ kind: NOBODY.has(codeOf(thrown)) ? 'absent' : 'busy' }),
    );
  });
  try {
    return await abortable(dialled, signal);
  } catch (thrown) {
    socket.destroy();
    throw thrown;
  }
}

/** How the broker is, once it has also been told what is to be told. */
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
      if (told !== undefined) socket.write(lineOf(told));
      return await abortable(state, limit.signal);
    } finally {
      socket.end();
    }
  } catch {
    // Time is up.
    return undefined;
  }
}
