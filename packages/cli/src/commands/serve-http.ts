// A gateway over HTTP, until the command ends: its address, its tokens, its note for other commands, and its log.

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
  /** Records from the start, and tells where the console is. */
  readonly console?: boolean;
  readonly environment: HostEnvironment;
  readonly logger: Logger;
  readonly reached: Reached | undefined;
}

/** What is done about a gateway once clients can reach it over HTTP, in place of telling where it is. */
export interface Reached {
  /** Where the port of the address is taken: any that is free. */
  readonly orAnyPort: boolean;
  announce(told: ServedGateway, from: HostEnvironment): Promise<void>;
}

export async function serveHttp(
  context: Context,
  gateway: Gateway,
  serving: HttpServing,
): Promise<void> {
  const { address, environment, keptBy, logger, options, reached } = serving;
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
  const told = { url, servers, tokenFile: file, console: isShown ? page?.launch() : undefined };
  logger.log('info', 'the gateway serves', { url, servers: servers.length });
  if (reached !== undefined) await reached.announce(told, environment);
  else if (context.isJson) printJson({ ...context, json: 'events' }, told);
  else if (keptBy === undefined) context.terminal.err.write(servingText(told, environment));
  await untilAborted(context.terminal.interrupted);
  logger.log('info', 'the gateway ends');
}

/** All clients have the same one. */
function tokensOf(token: string): ReadonlyMap<string, string> {
  return new Map([[token, 'user']]);
}

/** Others are there once the user has approved or enabled them. */
function isServed({ state: { kind } }: ServerStatus): boolean {
  return kind !== 'untrusted' && kind !== 'disabled' && kind !== 'blocked';
}

async function listening(
  gateway: Gateway,
  address: GivenAddress & Parameters<Gateway['listen']>[0],
  { keptBy, reached }: Pick<HttpServing, 'keptBy' | 'reached'>,
): Promise<Listening> {
  try {
    return await gateway.listen(address);
  } catch (thrown) {
    const code = codeOf(thrown);
    if (code === undefined) throw thrown;
    if (reached?.orAnyPort === true && code === 'EADDRINUSE')
      return gateway.listen({ ...address, port: 0 });
    throw listenError(code, { ...address, keptBy });
  }
}

/** How much is written before the size of the log is looked at again. */
const LOOKED_AT_AFTER = LOG_BYTES / 8;

/**
 * Of a gateway in the background, whose stderr is the file of its log. It keeps that within a bound, and says the same once a
 * minute: what a server or a disk does to every call would leave no room for anything else.
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
    if (length < LOOKED_AT_AFTER) return;
    length = 0;
    trimLog(file, LOG_BYTES);
  };
  return {
    log(level, message, fields = {}) {
      if (level === 'debug') return;
      seldom.tell(JSON.stringify([level, message, fields]), (count) => {
        const told = count === 1 ? fields : { ...fields, count };
        write(logLine({ at: clock.now(), level, message, fields: told }));
      });
    },
  };
}
