// Runs a gateway over HTTP until the command ends: its address, its tokens, its note for other commands, and its log.

import { type Clock, codeOf, type Logger, Seldom, systemClock } from '@plugboard/base';
import type { Gateway, Listening } from '@plugboard/gateway';
import type { ServerStatus } from '@plugboard/host';
import type { HostEnvironment } from '@plugboard/host/configuration';
import { endsInsideLine, trimLog } from '@plugboard/host/processes';
import type { Context } from '../context.ts';
import type { GivenAddress } from '../given/http-address.ts';
import { listenError, logLine, type ServedGateway, servingText } from '../print/gateway-words.ts';
import { printJson } from '../print/json.ts';
import { consoleOptions } from './console-options.ts';
import { gatewayToken, tokenFile } from './gateway-token.ts';
import { preloadChunks } from './preload-chunks.ts';
import { type GatewayFacts, LOG_BYTES, logFile, noteGateway } from './running-gateways.ts';
import { watchToken } from './token-watch.ts';
import { untilAborted } from './until-aborted.ts';

export interface HttpServing extends Pick<GatewayFacts, 'keptBy' | 'options'> {
  readonly address: GivenAddress;
  readonly token: boolean;
  readonly tokenFile?: string;
  readonly allowHost?: readonly string[];
  /** Record requests from the start, and print the address of the console. */
  readonly console?: boolean;
  readonly environment: HostEnvironment;
  readonly logger: Logger;
  readonly announcement: Announcement | undefined;
}

/** Replaces the default text about a gateway that has started to listen. */
export interface Announcement {
  /** Use any free port if the port of the address is taken. */
  readonly orAnyPort: boolean;
  announce(gateway: ServedGateway, from: HostEnvironment): Promise<void>;
}

export async function serveHttp(
  context: Context,
  gateway: Gateway,
  serving: HttpServing,
): Promise<void> {
  const { address, environment, keptBy, logger, options, announcement } = serving;
  const file = serving.token ? (serving.tokenFile ?? tokenFile(environment)) : undefined;
  const token = file === undefined ? undefined : await gatewayToken(file, environment);
  const tokens = token === undefined ? undefined : tokensOf(token);
  const hosts = [address.hostname, ...(serving.allowHost ?? [])].map((name) => name.toLowerCase());
  const isShown = serving.console === true;
  const at = { ...address, tokens, hosts, console: await consoleOptions(environment, isShown) };
  const listens = await listening(gateway, at, serving);
  const { url, console: page } = listens;
  await preloadChunks();
  using _token =
    file !== undefined && token !== undefined
      ? watchToken({
          file,
          token,
          logger,
          onToken: (other) => listens.replaceTokens(tokensOf(other)),
        })
      : undefined;
  using _note = await noteGateway(environment, { url, tokenFile: file, keptBy, options });
  const servers = gateway.host.servers.filter(isServed).map(({ name }) => name);
  const served = { url, servers, tokenFile: file, console: isShown ? page?.launch() : undefined };
  logger.log('info', 'the gateway serves', { url, servers: servers.length });
  if (announcement !== undefined) await announcement.announce(served, environment);
  else if (context.isJson) printJson({ ...context, json: 'events' }, served);
  else if (keptBy === undefined) context.terminal.err.write(servingText(served, environment));
  await untilAborted(context.terminal.interrupted);
  logger.log('info', 'the gateway ends');
}

/** All clients have the same token. */
function tokensOf(token: string): ReadonlyMap<string, string> {
  return new Map([[token, 'user']]);
}

/** Other servers are served once the user approves or enables them. */
function isServed({ state: { kind } }: ServerStatus): boolean {
  return kind !== 'untrusted' && kind !== 'disabled' && kind !== 'blocked';
}

async function listening(
  gateway: Gateway,
  address: GivenAddress & Parameters<Gateway['listen']>[0],
  { keptBy, announcement }: Pick<HttpServing, 'keptBy' | 'announcement'>,
): Promise<Listening> {
  try {
    return await gateway.listen(address);
  } catch (thrown) {
    const code = codeOf(thrown);
    if (code === undefined) throw thrown;
    if (announcement?.orAnyPort === true && code === 'EADDRINUSE')
      return gateway.listen({ ...address, port: 0 });
    throw listenError(code, { ...address, keptBy });
  }
}

/** The number of characters between two checks of the log's size. */
const CHECKED_AFTER = LOG_BYTES / 8;

/**
 * The log of a gateway in the background, whose stderr is the log file. The size of the file is limited, and the same message is
 * written at most once a minute, since a problem with every call would fill the log.
 */
export function gatewayLog(
  { terminal }: { readonly terminal: { readonly err: Pick<Context['terminal']['err'], 'write'> } },
  environment: Pick<HostEnvironment, 'paths'>,
  clock: Clock = systemClock,
): Logger {
  const file = logFile(environment);
  const seldom = new Seldom(clock);
  let length = 0;
  trimLog(file, LOG_BYTES);
  const write = (line: string): void => {
    terminal.err.write(endsInsideLine(file) ? `\n${line}` : line);
    length += line.length;
    if (length < CHECKED_AFTER) return;
    length = 0;
    trimLog(file, LOG_BYTES);
  };
  return {
    log(level, message, fields = {}) {
      if (level === 'debug') return;
      seldom.tell(JSON.stringify([level, message, fields]), (count) => {
        const extended = count === 1 ? fields : { ...fields, count };
        write(logLine({ at: clock.now(), level, message, fields: extended }));
      });
    },
  };
}
