// `plugboard serve`: offers all servers as one, to one client over stdio or to many over HTTP. Over stdio, stdout belongs to the
// client. Over HTTP, stdout has only the address, with --json. Text for people goes to stderr.

import { resolve } from 'node:path';
import { isLoopback, Scope, silentLogger } from '@plugboard/base';
import { createGateway, type Gateway } from '@plugboard/gateway';
import { allowAll, type InProcessServer } from '@plugboard/host';
import { BUILT_IN_SERVERS, closestName, CODEBASE, WORKSPACE } from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { type GivenAddress, httpAddress } from '../given/http-address.ts';
import { writeDiagnostics } from '../print/diagnostics.ts';
import { hostAndPort, notServedText } from '../print/gateway-words.ts';
import { watchPins } from '../print/pins-not-kept.ts';
import { protocolStreams } from '../terminal.ts';
import { didYouMean, UsageError } from '../usage-error.ts';
import { serveInBackground, stopBackground } from './background.ts';
import { inProcessCodebase } from './built-in.ts';
import { type CommandConfiguration, readConfigured } from './configured.ts';
import { sealKey } from './gateway-token.ts';
import { KEEPERS } from './running-gateways.ts';
import { gatewayLog, type Announcement, serveHttp } from './serve-http.ts';

export interface ServeFlags {
  /** `true` means the default address. */
  readonly http?: true | string | undefined;
  readonly token: boolean;
  readonly tokenFile?: string;
  readonly allowHost?: readonly string[];
  readonly mode?: string;
  readonly include?: string;
  readonly profile?: string;
  /** Show the traffic at `/console`. */
  readonly console?: boolean;
  readonly background?: true;
  readonly stop?: true;
  /** Set for the gateway in the background itself. */
  readonly keptBy?: string;
}

export async function serve(
  context: Context,
  flags: ServeFlags,
  announcement?: Announcement,
): Promise<ExitCode> {
  if (flags.stop === true) return stopBackground(context);
  const included = includedOf(flags.include);
  const all = { mode: modeOf(flags.mode) };
  const address = addressOf(flags);
  if (address === undefined) refuseWithoutHttp(context, flags);
  else if (!flags.token && !isLoopback(address.hostname)) {
    throw new UsageError(
      `without a token, everyone who reaches ${address.hostname} could call your servers`,
      'leave out --no-token, or serve at 127.0.0.1',
    );
  }
  if (flags.background === true) {
    return serveInBackground(context, backgroundOptions(context, flags));
  }
  const configured = await readConfigured(context);
  const { environment } = configured;
  const keptBy = KEEPERS.find((each) => each === flags.keptBy);
  const logger = keptBy === undefined ? silentLogger : gatewayLog(context, environment);
  await using scope = new Scope();
  const gateway = scope.use(
    await createGateway({
      host: {
        environment,
        configuration: configured.asRead,
        inProcess: await builtInServers(included, { context, configured, scope }),
        trust: context.trust,
        ...context.named,
        ide: 'discover',
        ...(context.answer === 'yes' ? { approve: allowAll } : {}),
      },
      all,
      key: await sealKey(environment),
      logger,
      version: context.version,
    }),
  );
  const path = pathOf(flags.profile, Object.keys(gateway.host.gatewayProfiles));
  using _pins = watchPins(context.terminal.err, gateway.host, environment);
  if (!context.isJson) {
    writeDiagnostics(context.terminal.err, gateway.host.diagnostics, environment);
    context.terminal.err.write(notServedText(gateway.host.servers));
  }
  if (address === undefined) await overStdio(context, gateway, path);
  else {
    const options = servedOptions(context, flags);
    const serving = { ...flags, address, environment, logger, keptBy, options, announcement };
    await serveHttp(context, gateway, serving);
  }
  return EXIT.ok;
}

async function overStdio({ terminal }: Context, gateway: Gateway, path: string): Promise<void> {
  const { err, input } = terminal;
  if (input.isTty && err.isTty) {
    err.write('Waiting for an MCP client on stdin. Clients start this command by themselves:\n');
    err.write('  claude mcp add plugboard -- plugboard serve\nCtrl-C stops it.\n');
  }
  using streams = protocolStreams();
  const { stdin: from, stdout: output } = streams;
  await gateway.stdio({ input: from, output, path, signal: terminal.interrupted });
}

/** The path for the client over stdio. Over HTTP, every client chooses its own. */
function pathOf(profile: string | undefined, profiles: readonly string[]): string {
  if (profile === undefined) return '/mcp';
  if (profiles.includes(profile)) return `/mcp/profile/${encodeURIComponent(profile)}`;
  const nearest = closestName(profile, profiles);
  throw new UsageError(
    `there is no profile "${profile}"`,
    didYouMean(nearest, 'profiles are in your settings, under "gateway": { "profiles": … }'),
  );
}

/** --console and --background imply --http. */
function addressOf({ http, console: shown, background }: ServeFlags): GivenAddress | undefined {
  if (http === undefined && shown !== true && background !== true) return undefined;
  return httpAddress(http);
}

function refuseWithoutHttp({ isJson }: Context, flags: ServeFlags): void {
  const [option] = [
    ...(flags.token ? [] : ['--no-token']),
    ...(flags.tokenFile === undefined ? [] : ['--token-file']),
    ...(flags.allowHost === undefined ? [] : ['--allow-host']),
    ...(isJson ? ['--json'] : []),
  ];
  if (option === undefined) return;
  throw new UsageError(
    `${option} is about a gateway over HTTP`,
    `add --http, or leave out ${option}`,
  );
}

/** The options that start the same gateway, always with an address. */
export function servedOptions(
  { answer }: Pick<Context, 'answer'>,
  { http, token, tokenFile, allowHost = [], mode, console: shown }: ServeFlags,
): readonly string[] {
  return [
    '--http',
    hostAndPort(httpAddress(http)),
    ...(token ? [] : ['--no-token']),
    ...(tokenFile === undefined ? [] : ['--token-file', resolve(tokenFile)]),
    ...allowHost.flatMap((name) => ['--allow-host', name]),
    ...(mode === undefined ? [] : ['--mode', mode]),
    ...(shown === true ? ['--console'] : []),
    ...(answer === 'yes' ? ['--yes'] : []),
  ];
}

/** Refuses options that apply only in a terminal or a folder. */
function backgroundOptions(context: Context, flags: ServeFlags): readonly string[] {
  const [option] = [
    ...(flags.include === undefined ? [] : ['--include']),
    ...(flags.profile === undefined ? [] : ['--profile']),
    ...((context.named?.mcpConfig ?? []).length === 0 ? [] : ['--mcp-config']),
    ...(context.trust === 'project' ? ['--trust-project'] : []),
  ];
  if (option === undefined) return servedOptions(context, flags);
  throw new UsageError(
    `${option} is not for a gateway in the background, which has the servers of your own settings`,
    `leave out ${option}, or serve in a terminal: plugboard serve --http`,
  );
}

const MODES = ['direct', 'search', 'code'] as const;

function modeOf(given: string | undefined): (typeof MODES)[number] | undefined {
  const known = MODES.find((mode) => mode === given);
  if (known !== undefined || given === undefined) return known;
  throw new UsageError(`there is no mode "${given}"`, `use one of: ${MODES.join(', ')}`);
}

function includedOf(given: string | undefined): readonly string[] {
  const names = (given ?? '').split(',').map((name) => name.trim());
  const included = names.filter((name) => name !== '');
  const unknown = included.find((name) => !BUILT_IN_SERVERS.includes(name));
  if (unknown === undefined) return included;
  throw new UsageError(
    `there is no built-in server "${unknown}"`,
    `use one or both of: ${BUILT_IN_SERVERS.join(',')}`,
  );
}

interface BuiltInParts {
  readonly context: Context;
  readonly configured: CommandConfiguration;
  readonly scope: Scope;
}

async function builtInServers(
  included: readonly string[],
  { context, configured, scope }: BuiltInParts,
): Promise<Readonly<Record<string, InProcessServer>>> {
  const { environment, asRead } = configured;
  const root = environment.cwd;
  const servers: Record<string, InProcessServer> = {};
  if (included.includes(CODEBASE)) {
    const life = { version: context.version, indexing: 'when-asked' } as const;
    servers[CODEBASE] = scope.use(inProcessCodebase({ codebase: asRead.codebase, root }, life));
  }
  if (included.includes(WORKSPACE)) {
    const { createWorkspace } = await import('@plugboard/agent/workspace');
    servers[WORKSPACE] = scope.use(createWorkspace({ root })).server();
  }
  return servers;
}
