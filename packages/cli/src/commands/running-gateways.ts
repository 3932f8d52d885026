// The gateways of this user that listen now. Each has a note in a folder that is the user's, with its address, until it ends.
// A note counts as long as the very process runs that wrote it, so one that a killed gateway left is no gateway.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type JsonObject, systemClock } from '@plugboard/base';
import { ConsoleClient } from '@plugboard/gateway/console-client';
import { type HostEnvironment, keptSecret } from '@plugboard/host/configuration';
import {
  ensureFolder,
  noteOwnProcess,
  ownFiles,
  readProcessNote,
  removeFile,
} from '@plugboard/host/processes';
import { tokenError } from '../print/gateway-words.ts';

/** What keeps a gateway that runs in the background. */
export const KEEPERS = ['service', 'process'] as const;
export type Keeper = (typeof KEEPERS)[number];

export interface GatewayFacts {
  /** Of `/mcp`. */
  readonly url: string;
  /** None where no token is wanted. */
  readonly tokenFile: string | undefined;
  /** None of one that runs in a terminal. */
  readonly keptBy: Keeper | undefined;
  /** The options that it was started with. */
  readonly options: readonly string[];
}

export interface RunningGateway extends GatewayFacts {
  readonly pid: number;
  readonly note: string;
  readonly isGone: () => boolean;
}

const TOKEN_BYTES = 32;

function folderOf({ paths }: Pick<HostEnvironment, 'paths'>): string {
  return join(paths.state, 'gateway', 'running');
}

/** How large the log may become; what was before it is kept once, in a file beside it. */
export const LOG_BYTES = 1024 * 1024;

/** Where a gateway in the background writes what it has to say. */
export function logFile({ paths }: Pick<HostEnvironment, 'paths'>): string {
  return join(paths.state, 'gateway', 'log');
}

/** Notes that this process is a gateway, until disposed of. What killed ones left is removed. */
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
  return noteOwnProcess(join(folder, `${randomBytes(8).toString('hex')}.json`), facts);
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
        options: Array.isArray(options) ? options.map(String) : [],
      },
    ];
  });
}

/** The token of the user's own commands, which is good for the console alone. Clients of the gateway have another. */
export async function consoleToken(environment: HostEnvironment): Promise<string> {
  const file = join(environment.paths.state, 'gateway', 'console-token');
  const token = await keptSecret(file, () => randomBytes(TOKEN_BYTES).toString('base64url'));
  if (!token.ok) throw tokenError(token.error, environment);
  return token.value;
}

export async function consoleOf(
  { url }: Pick<RunningGateway, 'url'>,
  environment: HostEnvironment,
): Promise<ConsoleClient> {
  return new ConsoleClient({ url, token: await consoleToken(environment), clock: systemClock });
}
