// The brokers of this user that run now, for people who want to see or to end them.

import { join } from 'node:path';
import { abortable, type Clock, deadline, delay, never } from '@plugboard/base';
import {
  findSocket,
  killNoted,
  listFolder,
  notedProcess,
  removeFile,
  withFileLock,
} from '../../platform/index.ts';
import { LineSplitter } from '../frame/line-splitter.ts';
import { dial } from './reach-broker.ts';
import {
  type BrokerState,
  isSocketName,
  lineOf,
  MAX_LINE_BYTES,
  noteOf,
  readFromBroker,
  type ToBroker,
} from './terms.ts';

export interface RunningBroker extends BrokerState {
  readonly socket: string;
}

/** One that does not answer by then is stopped, or busy beyond hope. */
const ANSWER_MS = 2000;
/** Several times what the stop ladder takes. */
const ENDING_MS = 5000;
const LOOK_MS = 10;

/** In the order of their start. What killed brokers left is removed on the way. */
export async function runningBrokers(
  folder: string,
  clock: Clock,
): Promise<readonly RunningBroker[]> {
  const items = await listFolder(folder).catch(() => []);
  const sockets = items.map(({ name }) => name).filter(isSocketName);
  const asked = await Promise.all(sockets.map((name) => look(join(folder, name), clock)));
  return asked.filter((found) => found !== undefined).toSorted((a, b) => a.since - b.since);
}

/** Ends it and its server, whoever uses it; one that does not listen is killed. Whether it is gone. */
export async function stopBroker(socket: string, clock: Clock): Promise<boolean> {
  await ask(socket, { plugboard: 'stop' }, clock);
  if (await isGone(socket, clock)) return true;
  killNoted(noteOf(socket));
  return isGone(socket, clock);
}

async function look(socket: string, clock: Clock): Promise<RunningBroker | undefined> {
  const found = await findSocket(socket);
  if (!found.ok || found.value === 'absent') return undefined;
  const state = await ask(socket, undefined, clock);
  if (state === 'absent') {
    await removeLeft(socket, clock);
    return undefined;
  }
  if (state !== undefined) return { ...state, socket };
  // It does not answer; what is known of it is its process.
  const pid = notedProcess(noteOf(socket));
  if (pid === undefined) return undefined;
  return { socket, pid, name: '', serverPid: undefined, since: 0, clients: 0 };
}

/** Under the lock of those who start brokers: one that was started meanwhile is left alone. */
async function removeLeft(socket: string, clock: Clock): Promise<void> {
  await withFileLock(socket, { clock }, async () => {
    if ((await ask(socket, undefined, clock)) !== 'absent') return;
    await removeFile(socket);
    await removeFile(noteOf(socket));
  });
}

/** How the broker is, once it has also been told what is to be told. */
async function ask(
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

async function isGone(socket: string, clock: Clock): Promise<boolean> {
  const until = clock.elapsed() + ENDING_MS;
  while (notedProcess(noteOf(socket)) !== undefined) {
    if (clock.elapsed() > until) return false;
    await delay(LOOK_MS, clock, never);
  }
  return true;
}
