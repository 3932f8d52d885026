// Finds the running gateways of this user. Each gateway writes a note with its address into a folder of the user, and removes
// it when it ends. A note is valid only while its process runs, so the note of a killed gateway is ignored.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Json, type JsonObject, systemClock } from '@plugboard/base';
import { ConsoleClient } from '@plugboard/gateway/console-client';
import type { HostEnvironment } from '@plugboard/host/configuration';
import {
  ensureFolder,
  noteOwnProcess,
  ownFiles,
  readProcessNote,
  removeFile,
} from '@plugboard/host/processes';
import { silentError } from '../print/gateway-words.ts';
import { consoleToken } from './gateway-token.ts';

/** What runs a gateway in the background. */
export const KEEPERS = ['service', 'process'] as const;
export type Keeper = (typeof KEEPERS)[number];

export interface GatewayFacts {
  /** The address of `/mcp`. */
  readonly url: string;
  /** `undefined` if no token is required. */
  readonly tokenFile: string | undefined;
  /** `undefined` for a gateway in a terminal. */
  readonly keptBy: Keeper | undefined;
  /** The options that it was started with. */
  readonly options: readonly string[];
}

export interface RunningGateway extends GatewayFacts {
  readonly pid: number;
  readonly note: string;
  readonly isGone: () => boolean;
}

function folderOf({ paths }: Pick<HostEnvironment, 'paths'>): string {
  return join(paths.state, 'gateway', 'running');
}

/** The maximum size of the log. Older lines move to one other file. */
export const LOG_BYTES = 1024 * 1024;

/** The log file of a gateway in the background. */
export function logFile({ paths }: Pick<HostEnvironment, 'paths'>): string {
  return join(paths.state, 'gateway', 'log');
}

/** How often a gateway checks that its note still exists. */
const CHECK_MS = 2000;

/** Writes the note of this gateway, and again if it is deleted, until disposed of. Removes the notes of killed gateways. */
export async function noteGateway(
  environment: HostEnvironment,
  { url, tokenFile, keptBy, options }: GatewayFacts,
): Promise<Disposable> {
  const folder = folderOf(environment);
  await ensureFolder(folder);
  for (const { path } of await ownFiles(folder)) {
    if (readProcessNote(path).kind === 'gone') await removeFile(path);
  }
  const facts: JsonObject = {
    url,
    ...(tokenFile === undefined ? {} : { tokenFile }),
    ...(keptBy === undefined ? {} : { keptBy }),
    options,
  };
  const file = join(folder, `${randomBytes(8).toString('hex')}.json`);
  let note = noteOwnProcess(file, facts);
  let timer: Disposable | undefined;
  const check = async (): Promise<void> => {
    try {
      if (readProcessNote(file).kind === 'none') {
        await ensureFolder(folder);
        if (timer !== undefined) note = noteOwnProcess(file, facts);
      }
    } catch {
      // The note cannot be written now. The next check tries again.
    }
    if (timer !== undefined) timer = systemClock.after(CHECK_MS, () => void check());
  };
  timer = systemClock.after(CHECK_MS, () => void check());
  return {
    [Symbol.dispose]() {
      timer?.[Symbol.dispose]();
      timer = undefined;
      note[Symbol.dispose]();
    },
  };
}

/** Gateways in the background that were killed, until another one starts. */
export async function lostGateways(
  environment: Pick<HostEnvironment, 'paths'>,
): Promise<readonly Pick<RunningGateway, 'url' | 'pid' | 'options'>[]> {
  const files = await ownFiles(folderOf(environment));
  return files.flatMap(({ path }) => {
    const note = readProcessNote(path);
    if (note.kind !== 'gone' || note.facts['keptBy'] === undefined) return [];
    const { url, options } = note.facts;
    return typeof url === 'string' ? [{ url, pid: note.pid, options: optionsIn(options) }] : [];
  });
}

/** Makes all gateways connect to the server again, so that their clients get its tools. */
export async function connectInGateways(
  environment: HostEnvironment,
  server: string,
  signal: AbortSignal,
): Promise<void> {
  const running = await runningGateways(environment);
  await Promise.all(
    running.map(async (gateway) => {
      const reached = await consoleOf(gateway, environment);
      // Failures do not matter: the gateway may not have the server.
      await reached.connect(server, signal);
    }),
  );
}

export async function runningGateways(
  environment: Pick<HostEnvironment, 'paths'>,
): Promise<readonly RunningGateway[]> {
  const files = await ownFiles(folderOf(environment));
  return files.flatMap(({ path }) => {
    const note = readProcessNote(path);
    if (note.kind !== 'noted') return [];
    const { url, tokenFile, keptBy, options } = note.facts;
    if (typeof url !== 'string') return [];
    return [
      {
        pid: note.pid,
        note: path,
        isGone: note.isGone,
        url,
        tokenFile: typeof tokenFile === 'string' ? tokenFile : undefined,
        keptBy: KEEPERS.find((each) => each === keptBy),
        options: optionsIn(options),
      },
    ];
  });
}

/** The one gateway that runs in the background for all clients of the user. */
export async function backgroundGateway(
  environment: Pick<HostEnvironment, 'paths'>,
): Promise<RunningGateway | undefined> {
  const running = await runningGateways(environment);
  return running.find(({ keptBy }) => keptBy !== undefined);
}

/** Throws if the process of a gateway exists, but does not answer, such as a suspended one. */
export async function demandAnswer(
  gateway: RunningGateway,
  environment: HostEnvironment,
  signal: AbortSignal,
): Promise<void> {
  const reached = await consoleOf(gateway, environment);
  const state = await reached.state(signal);
  signal.throwIfAborted();
  if (!state.ok && state.error.kind === 'unreachable' && !gateway.isGone()) {
    throw silentError(gateway, state.error.reason);
  }
}

function optionsIn(noted: Json | undefined): readonly string[] {
  return Array.isArray(noted) ? noted.map(String) : [];
}

export async function consoleOf(
  { url }: Pick<RunningGateway, 'url'>,
  environment: HostEnvironment,
): Promise<ConsoleClient> {
  return new ConsoleClient({ url, token: await consoleToken(environment), clock: systemClock });
}
