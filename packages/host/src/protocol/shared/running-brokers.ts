// The running brokers of this user, for commands that list or stop them.

import { dirname, join } from 'node:path';
import { type Clock, delay, never, stayAlive } from '@plugboard/base';
import {
  findSocket,
  isRunning,
  listFolder,
  notedProcess,
  removeFile,
  signalNoted,
  withFileLock,
} from '../../platform/index.ts';
import { askBroker } from './ask-broker.ts';
import { type BrokerState, isSocketName, noteOf, type SharedEntry } from './terms.ts';

export interface RunningBroker extends BrokerState {
  readonly socket: string;
}

/** Several times as long as the stop ladder takes. */
const ENDING_MS = 5000;
const CHECK_MS = 10;

const UNKNOWN = {
  name: '',
  place: '',
  fingerprint: '',
  serverPid: undefined,
  since: 0,
  clients: 0,
};

/** Lists the brokers in the order of their start, and removes the files of killed brokers. */
export async function runningBrokers(
  folder: string,
  clock: Clock,
): Promise<readonly RunningBroker[]> {
  const sockets = await socketsIn(folder);
  const brokers = await Promise.all(sockets.map((socket) => findBroker(socket, clock)));
  return brokers.filter((found) => found !== undefined).toSorted((a, b) => a.since - b.since);
}

/** Retires brokers that run an outdated entry of a server, because no host will join them again. */
export async function retireOutdated(
  { socket: own, name, place, fingerprint }: SharedEntry & Pick<RunningBroker, 'socket'>,
  clock: Clock,
): Promise<void> {
  const others = (await socketsIn(dirname(own))).filter((socket) => socket !== own);
  await Promise.all(
    others.map(async (socket) => {
      const state = await askBroker(socket, undefined, clock);
      if (state === undefined || state === 'absent') return;
      const isOutdated =
        state.name === name && state.place === place && state.fingerprint !== fingerprint;
      if (isOutdated) await askBroker(socket, { plugboard: 'retire' }, clock);
    }),
  );
}

async function socketsIn(folder: string): Promise<readonly string[]> {
  const names = (await listFolder(folder)).map(({ name }) => name);
  return names.filter(isSocketName).map((name) => join(folder, name));
}

/** Ends a broker and its server even if hosts use it, and kills it if necessary. Returns whether it is gone. */
export async function stopBroker(socket: string, clock: Clock): Promise<boolean> {
  using _ = stayAlive();
  const pid = notedProcess(noteOf(socket));
  if (pid === undefined) return true;
  await askBroker(socket, { plugboard: 'stop' }, clock);
  if (await isGone(pid, clock)) return true;
  signalNoted(noteOf(socket), 'SIGKILL');
  return await isGone(pid, clock);
}

async function findBroker(socket: string, clock: Clock): Promise<RunningBroker | undefined> {
  const found = await findSocket(socket);
  if (!found.ok || found.value === 'absent') return undefined;
  const state = await askBroker(socket, undefined, clock);
  if (state === 'absent') {
    await removeLeftover(socket, clock);
    return undefined;
  }
  if (state !== undefined) return { ...state, socket };
  // The broker does not answer; only its process id is known.
  const pid = notedProcess(noteOf(socket));
  if (pid === undefined) return undefined;
  return { ...UNKNOWN, socket, pid };
}

/** Holds the lock for starting brokers, so that the files of a new broker are not removed. */
async function removeLeftover(socket: string, clock: Clock): Promise<void> {
  await withFileLock(socket, { clock }, async () => {
    if ((await askBroker(socket, undefined, clock)) !== 'absent') return;
    await removeFile(socket);
    await removeFile(noteOf(socket));
  });
}

async function isGone(pid: number, clock: Clock): Promise<boolean> {
  const until = clock.elapsed() + ENDING_MS;
  while (isRunning(pid)) {
    if (clock.elapsed() > until) return false;
    await delay(CHECK_MS, clock, never);
  }
  return true;
}
