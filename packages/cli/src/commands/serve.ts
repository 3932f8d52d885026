// `plugboard serve`: all servers as one, for one client over stdio or for many over HTTP. Over stdio, stdout is the
// client's; over HTTP it has nothing but the address, where a program wants that. Text for people goes to stderr.

import { codeOf, Scope } from '@plugboard/base';
import { createGateway, type Gateway, type Listening, type Profile } from '@plugboard/gateway';
import { allowAll, type InProcessServer, type ServerStatus } from '@plugboard/host';
import { closestName, type HostEnvironment } from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import {
  DEFAULT_ADDRESS,
  type GivenAddress,
  isLoopback,
  parseAddress,
} from '../given/http-address.ts';
import { writeDiagnostics } from '../print/diagnostics.ts';
import { listenError, notServedText, servingText } from '../print/gateway-words.ts';
import { printJson } from '../print/json.ts';
import { watchPins } from '../print/pins-not-kept.ts';
import { protocolStreams } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import { CODEBASE, codebaseChoice, inProcessCodebase } from './built-in.ts';
import { type CommandConfiguration, readConfigured } from './configured.ts';
import { gatewayToken, sealKey, tokenFile } from './gateway-token.ts';
import { untilAborted } from './until-aborted.ts';

export interface ServeFlags {
  /** `true`: at the usual address. */
  readonly http?: true | string;
  readonly token: boolean;
  readonly tokenFile?: string;
  readonly allowHost?: readonly string[];
  readonly mode?: string;
  readonly include?: string;
  readonly profile?: string;
}

export async function serve(context: Context, flags: ServeFlags): Promise<ExitCode> {
  const included = includedOf(flags.include);
  const all = { mode: modeOf(flags.mode) };
  const address = addressOf(flags);
  if (address === undefined) refuseWithoutHttp(context, flags);
  else if (!flags.token && !isLoopback(address)) {
    throw new UsageError(
      `without a token, everyone who reaches ${address.hostname} could call your servers`,
      'leave out --no-token, or serve at 127.0.0.1',
    );
  }
  const configured = await readConfigured(context);
  const { environment } = configured;
  const profiles = profilesOf(configured);
  const path = pathOf(flags.profile, profiles);
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
      version: context.version,
      profiles,
    }),
  );
  using _pins = watchPins(context.terminal.err, gateway.host, environment);
  if (!context.isJson) {
    writeDiagnostics(context.terminal.err, gateway.host.diagnostics, environment);
    context.terminal.err.write(notServedText(gateway.host.servers));
  }
  if (address === undefined) await overStdio(context, gateway, path);
  else await overHttp(context, gateway, { address, flags, environment });
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

interface HttpServing {
  readonly address: GivenAddress;
  readonly flags: ServeFlags;
  readonly environment: HostEnvironment;
}

async function overHttp(context: Context, gateway: Gateway, serving: HttpServing): Promise<void> {
  const { address, flags, environment } = serving;
  const file = flags.token ? (flags.tokenFile ?? tokenFile(environment)) : undefined;
  const tokens =
    file === undefined ? undefined : new Map([[await gatewayToken(file, environment), 'user']]);
  const hosts = [address.hostname, ...(flags.allowHost ?? [])].map((name) => name.toLowerCase());
  const { url } = await listening(gateway, { ...address, tokens, hosts });
  const servers = gateway.host.servers.filter(isServed).map(({ name }) => name);
  const told = { url, servers, tokenFile: file };
  if (context.isJson) printJson({ ...context, json: 'events' }, told);
  else context.terminal.err.write(servingText(told, environment));
  await untilAborted(context.terminal.interrupted);
}

/** Others are there once the user has approved or enabled them. */
function isServed({ state: { kind } }: ServerStatus): boolean {
  return kind !== 'untrusted' && kind !== 'disabled' && kind !== 'blocked';
}

async function listening(
  gateway: Gateway,
  address: GivenAddress & Parameters<Gateway['listen']>[0],
): Promise<Listening> {
  try {
    return await gateway.listen(address);
  } catch (thrown) {
    const code = codeOf(thrown);
    if (code === undefined) throw thrown;
    throw listenError(code, address);
  }
}

type Profiles = Readonly<Record<string, Profile>>;

/** Where several files have a profile of the same name, that of the strongest counts. */
function profilesOf({ configuration }: CommandConfiguration): Profiles {
  const settings = configuration.gateway.toReversed();
  return Object.fromEntries(settings.flatMap(({ profiles }) => Object.entries(profiles ?? {})));
}

/** Over HTTP every client chooses by its address. */
function pathOf(profile: string | undefined, profiles: Profiles): string {
  if (profile === undefined) return '/mcp';
  if (Object.hasOwn(profiles, profile)) return `/mcp/profile/${encodeURIComponent(profile)}`;
  const nearest = closestName(profile, Object.keys(profiles));
  throw new UsageError(
    `there is no profile "${profile}"`,
    nearest === undefined
      ? 'profiles are in your settings, under "gateway": { "profiles": … }'
      : `did you mean "${nearest}"?`,
  );
}

function addressOf({ http }: ServeFlags): GivenAddress | undefined {
  if (http === undefined) return undefined;
  return http === true ? DEFAULT_ADDRESS : parseAddress(http);
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

const MODES = ['direct', 'search', 'code'] as const;

function modeOf(given: string | undefined): (typeof MODES)[number] | undefined {
  const known = MODES.find((mode) => mode === given);
  if (known !== undefined || given === undefined) return known;
  throw new UsageError(`there is no mode "${given}"`, `use one of: ${MODES.join(', ')}`);
}

const BUILT_IN = [CODEBASE, 'workspace'] as const;
type BuiltIn = (typeof BUILT_IN)[number];

function includedOf(given: string | undefined): readonly BuiltIn[] {
  const names = (given ?? '').split(',').map((name) => name.trim());
  return names
    .filter((name) => name !== '')
    .map((name) => {
      const known = BUILT_IN.find((each) => each === name);
      if (known !== undefined) return known;
      throw new UsageError(
        `there is no built-in server "${name}"`,
        `use one or both of: ${BUILT_IN.join(',')}`,
      );
    });
}

interface BuiltInParts {
  readonly context: Context;
  readonly configured: CommandConfiguration;
  readonly scope: Scope;
}

async function builtInServers(
  included: readonly BuiltIn[],
  { context, configured, scope }: BuiltInParts,
): Promise<Readonly<Record<string, InProcessServer>>> {
  const { environment, asRead } = configured;
  const root = environment.cwd;
  const servers: Record<string, InProcessServer> = {};
  if (included.includes(CODEBASE)) {
    const choice = { ...codebaseChoice(asRead), root };
    const life = { version: context.version, indexing: 'when-asked' } as const;
    servers[CODEBASE] = scope.use(inProcessCodebase(choice, life));
  }
  if (included.includes('workspace')) {
    const { createWorkspace } = await import('@plugboard/agent/workspace');
    servers['workspace'] = scope.use(createWorkspace({ root })).server();
  }
  return servers;
}
