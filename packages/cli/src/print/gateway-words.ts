// Texts about the gateway: its address, how a client connects, and the problems of its token.

import type { LogFields, LogLevel } from '@plugboard/base';
import type { ServerStatus } from '@plugboard/host';
import type { KeptSecretProblem } from '@plugboard/host/configuration';
import { UsageError } from '../usage-error.ts';
import { shortPath, type Standpoint } from './place.ts';
import { oneLine } from './sanitise.ts';
import { unwritableError } from './system-words.ts';
import { quote } from './target.ts';
import { isoTime } from './times.ts';

export interface ServedGateway {
  readonly url: string;
  readonly servers: readonly string[];
  /** `undefined` if no token is required. */
  readonly tokenFile: string | undefined;
  /** An address that opens the console once. `undefined` without a console. */
  readonly console?: string | undefined;
}

/** Names the servers that clients do not get until the user approves them. */
export function notServedText(servers: readonly ServerStatus[]): string {
  return servers
    .filter(({ state }) => state.kind === 'untrusted')
    .map(
      ({ name }) =>
        `Not served: ${name}, which came with this folder or a plugin. See what it would run, and let it start: plugboard trust ${name}\n`,
    )
    .join('');
}

export function servingText(served: ServedGateway, from: Standpoint): string {
  const { url, servers, tokenFile, console: shown } = served;
  const count = `${servers.length} ${servers.length === 1 ? 'server' : 'servers'}`;
  const header =
    tokenFile === undefined
      ? ''
      : ` --header "Authorization: Bearer $(cat ${shortPath(tokenFile, from)})"`;
  const lines = [
    `Serving ${count} at ${url}`,
    `  one server alone  ${url}/SERVER`,
    tokenFile === undefined
      ? '  token             none: every program and user of this machine can call these servers'
      : `  token             in ${shortPath(tokenFile, from)}`,
    `  connect a client  claude mcp add --transport http plugboard ${url}${header}`,
    ...(shown === undefined
      ? []
      : [
          `  see what happens  ${shown}`,
          '                    (opens once; another address: plugboard console)',
        ]),
    'Ctrl-C stops it.',
  ];
  return `${lines.join('\n')}\n`;
}

/** The address has its own line, so that it can be copied. */
export function consoleText(launch: string, how: 'opened' | 'printed'): string {
  const words =
    how === 'opened'
      ? 'The console opens in your browser. If no page opens, open this one:'
      : 'Open the console in a browser of this machine:';
  return `${words}\n  ${launch}\nThe address works once, for five minutes.\n`;
}

/** `servers` is given for a gateway that the command started itself. */
export function consoleGatewayText({
  url,
  servers,
}: Pick<ServedGateway, 'url'> & Partial<ServedGateway>): string {
  if (servers === undefined) {
    return `It shows what clients ask of the gateway in the background, at ${url}\n`;
  }
  const count = `${servers.length} ${servers.length === 1 ? 'server' : 'servers'}`;
  return `It shows ${count}, and what clients ask at ${url}\nCtrl-C stops it.\n`;
}

/** Names the servers of this folder, which the user may expect in the gateway. */
export function leftOutText(names: readonly string[]): string {
  const [first = 'NAME'] = names;
  return `The gateway in the background has none of this folder's servers: ${names.join(', ')}\nTo offer one, add it for yourself: plugboard add ${first} --scope user -- COMMAND\n`;
}

/** About a rule of this folder. `again` is the command that writes it for all folders. */
export function ruleLeftOutText(again: string): string {
  return `The gateway in the background does not read this folder. For its clients as well: ${again}\n`;
}

/** A line of the log of a gateway in the background. */
export function logLine(entry: {
  readonly at: number;
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
}): string {
  const { at, level, message, fields } = entry;
  const pairs = Object.entries(fields).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}=${JSON.stringify(value)}`],
  );
  return `${isoTime(at)} ${level} ${oneLine(message)}${pairs.join('')}\n`;
}

export interface BackgroundGateway {
  readonly url: string;
  readonly pid: number;
  readonly keptBy: 'service' | 'process';
  readonly tokenFile: string | null;
  readonly logFile: string;
  /** Whether this command started it. */
  readonly isNew: boolean;
}

export function backgroundText(gateway: BackgroundGateway, from: Standpoint): string {
  const { url, pid, keptBy, tokenFile, logFile, isNew } = gateway;
  const kept =
    keptBy === 'service'
      ? 'a user service: it starts when you sign in, and again when it fails'
      : `process ${pid}: it runs until it is stopped or the machine is`;
  const lines = [
    `The gateway ${isNew ? 'is running' : 'was already running'} in the background at ${url}`,
    `  kept by          ${kept}`,
    '  servers          those of your own settings (added with --scope user), and none of a folder',
    `  token            ${tokenFile === null ? 'none' : `in ${shortPath(tokenFile, from)}`}`,
    `  log              ${shortPath(logFile, from)}`,
    '  connect clients  plugboard install --all --http',
    'See what it does: plugboard status. Stop it: plugboard serve --stop',
  ];
  return `${lines.join('\n')}\n`;
}

/** With the command that starts the same gateway again at the same address. */
export function stoppedText(stopped: StartedAt): string {
  return `Stopped the gateway at ${stopped.url}.\nStart it again: ${startAgain(stopped)}\n`;
}

export interface StartedAt {
  readonly url: string;
  readonly options: readonly string[];
}

/** The command that starts the same gateway in the background. */
export function startAgain({ url, options }: StartedAt): string {
  const { host } = new URL(url);
  const others = options.flatMap((option, index) =>
    option === '--http' || options[index - 1] === '--http' ? [] : [option],
  );
  const command = ['plugboard serve --background --http', host, ...others.map(quote)];
  return command.join(' ');
}

export interface SilentGateway extends StartedAt {
  readonly pid: number;
  /** `undefined` for a gateway in a terminal. */
  readonly keptBy: 'service' | 'process' | undefined;
}

/** How to end a gateway that does not answer. A suspended process reacts only to SIGKILL. */
export function silentFix({ pid, keptBy, ...stopped }: SilentGateway): string {
  const again =
    keptBy === undefined
      ? 'start it again in its terminal'
      : `start it again: ${startAgain(stopped)}`;
  return `end its process: kill -9 ${pid}, then ${again}`;
}

export function silentError(silent: SilentGateway, reason: string): UsageError {
  return new UsageError(
    `the gateway at ${silent.url} does not answer (${reason}), though its process ${silent.pid} is there`,
    silentFix(silent),
  );
}

export function tokenError(problem: KeptSecretProblem, from: Standpoint): UsageError {
  const file = shortPath(problem.path, from);
  const remove = `look at what it is, and remove it: rm ${file}`;
  switch (problem.kind) {
    case 'open-to-others':
      return new UsageError(
        `other users can read or change the token in ${file}`,
        `make it yours alone, with a new token: rm ${file}`,
      );
    case 'folder-open-to-others':
      return new UsageError(
        `other users can replace the token in ${file}`,
        `close its folder to others: chmod o-w ${shortPath(problem.folder, from)}`,
      );
    case 'foreign':
      return new UsageError(`the token in ${file} belongs to another user`, remove);
    case 'link':
      return new UsageError(`${file} is a link, and a token must not be behind one`, remove);
    case 'missing':
      return new UsageError(
        `there is no token in ${file}`,
        'start the gateway once: plugboard serve --http',
      );
    case 'empty':
    case 'too-large':
    case 'not-text':
    case 'folder':
      return new UsageError(`there is no token in ${file}`, remove);
    case 'unreadable':
      return new UsageError(`${file} cannot be read (${problem.code})`, 'check its permissions');
    case 'unwritable':
      return unwritableError(file, problem.code);
    default:
      return problem satisfies never;
  }
}

/** An IPv6 address is written in brackets. */
export function hostAndPort({
  hostname,
  port,
}: {
  readonly hostname: string;
  readonly port: number;
}): string {
  return `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`;
}

export function listenError(
  code: string,
  address: { readonly hostname: string; readonly port: number; readonly keptBy: unknown },
): UsageError {
  const { port, keptBy } = address;
  const shown = hostAndPort(address);
  if (code === 'EADDRINUSE') {
    return new UsageError(
      `another program listens at ${shown}`,
      `end it, or choose another port: plugboard serve ${keptBy === undefined ? '' : '--background '}--http ${port + 1}`,
    );
  }
  return new UsageError(
    `the gateway cannot listen at ${shown} (${code})`,
    'choose an address of this machine and a port above 1023',
  );
}
