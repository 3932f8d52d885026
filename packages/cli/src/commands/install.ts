// `plugboard install CLIENT` and `plugboard uninstall CLIENT`: add the gateway to the files of other MCP hosts, and remove it.
// Both show the changes, ask, and write only those. Running them again changes nothing.

import {
  type ClientChange,
  type ClientProblem,
  closestName,
  findProgram,
  FOREIGN_HOSTS,
  type ForeignHostId,
  foreignServers,
  type GatewayReach,
  type HostEnvironment,
  hostEnvironment,
  type ImportSource,
  planClient,
  planImport,
  presentHosts,
  targetFile,
  writeClient,
  writtenServers,
} from '@plugboard/host/configuration';
import { canAsk, type Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { httpAddress } from '../given/http-address.ts';
import { clientProblemWords } from '../print/client-words.ts';
import { writeError } from '../print/error.ts';
import { hostAndPort } from '../print/gateway-words.ts';
import { sourceText } from '../print/import-plan.ts';
import { printJson } from '../print/json.ts';
import { shortPath } from '../print/place.ts';
import { oneLine } from '../print/sanitise.ts';
import { textChange } from '../print/text-change.ts';
import { ownProgram } from '../terminal.ts';
import { didYouMean, UsageError } from '../usage-error.ts';
import { isYes } from './ask-about-text.ts';
import { gatewayToken, tokenFile } from './gateway-token.ts';
import { reportLeftOut } from './left-out.ts';
import { backgroundGateway, demandAnswer, runningGateways } from './running-gateways.ts';

export interface InstallFlags {
  readonly all?: true;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly http?: true | string;
  /** Use the gateway in the background, which is started if necessary. */
  readonly background?: true;
  readonly token?: boolean;
  readonly profile?: string;
}

export interface InstallRequest {
  readonly what: 'install' | 'uninstall';
  readonly clients: readonly string[];
  readonly flags: InstallFlags;
}

type Planned = { readonly client: ForeignHostId } & (
  | { readonly kind: 'change'; readonly change: ClientChange }
  | { readonly kind: 'problem'; readonly problem: ClientProblem }
);

export async function install(context: Context, request: InstallRequest): Promise<ExitCode> {
  const { what, flags } = request;
  const environment = hostEnvironment();
  const clients = await chosenClients(request, environment);
  const reach = what === 'install' ? await reachOf(context, flags, environment) : undefined;
  const planned = await Promise.all(
    clients.map((client) => plannedFor(client, { reach, flags, environment })),
  );
  if (!context.isJson) for (const each of planned) show(context, each, environment);
  const changes = planned.flatMap((each) =>
    each.kind === 'change' && each.change.kind !== 'none' ? [each.change] : [],
  );
  const isWritten = changes.length > 0 && (await isConfirmed(context, request, changes.length));
  // Clients that already have the entry need the gateway as well.
  const isThere = changes.length === 0 && planned.some(({ kind }) => kind === 'change');
  if (flags.background === true && (isWritten || (isThere && flags.dryRun !== true))) {
    await startGateway(context, flags, environment);
  }
  const written = new Map<ForeignHostId, ClientProblem | undefined>();
  for (const change of isWritten ? changes : []) {
    const result = await writeClient(change, environment);
    written.set(change.host, result.ok ? undefined : result.error);
  }
  if (context.isJson) printJson(context, documentOf(planned, written, environment));
  else {
    const isServed = (await runningGateways(environment)).length > 0;
    const isUnserved = reach?.kind === 'http' && !isServed;
    const isLeft = what === 'uninstall' && flags.all === true && isServed;
    const twice = what === 'install' ? await offeredTwice(written, environment) : [];
    const hasNoClients = clients.length === 0;
    const state = { isUnserved, isLeft, twice, hasNoClients };
    printResult(context, { request, changes, written, environment, ...state });
    if (flags.background === true) await reportLeftOut(context);
  }
  const failures = planned.filter(({ kind }) => kind === 'problem').length;
  const isWhole = failures === 0 && [...written.values()].every((each) => each === undefined);
  const isRefused = changes.length > 0 && !isWritten && flags.dryRun !== true;
  return isWhole && !isRefused ? EXIT.ok : EXIT.usage;
}

interface Planning {
  readonly reach: GatewayReach | undefined;
  readonly flags: InstallFlags;
  readonly environment: HostEnvironment;
}

async function plannedFor(
  client: ForeignHostId,
  { reach, flags, environment }: Planning,
): Promise<Planned> {
  const first = await planClient(client, reach, environment);
  // With --all, a client that supports only programs starts a gateway itself.
  const isLeftOut = flags.all === true && !first.ok && first.error.kind === 'only-programs';
  const plan = isLeftOut
    ? await planClient(client, await programReach(flags, environment), environment)
    : first;
  return plan.ok
    ? { client, kind: 'change', change: plan.value }
    : { client, kind: 'problem', problem: plan.error };
}

async function startGateway(
  context: Context,
  { http, token }: InstallFlags,
  environment: HostEnvironment,
): Promise<void> {
  const { ensureInBackground } = await import('./background.ts');
  const { servedOptions } = await import('./serve.ts');
  const options = servedOptions({}, { http, token: token !== false });
  const { gateway, isNew } = await ensureInBackground(context, options, environment);
  if (isNew && !context.isJson) {
    context.terminal.err.write(`The gateway is running in the background at ${gateway.url}\n`);
  }
}

async function chosenClients(
  { clients, flags, what }: InstallRequest,
  environment: HostEnvironment,
): Promise<readonly ForeignHostId[]> {
  if (flags.all === true && clients.length > 0) {
    throw new UsageError('--all already means every client', 'leave out --all, or the names');
  }
  if (flags.all === true) return presentHosts(environment);
  const ids = FOREIGN_HOSTS.map(({ id }) => id);
  if (clients.length === 0) {
    const here = await presentHosts(environment);
    throw new UsageError(
      'no client is named',
      `name some, or write plugboard ${what} --all for: ${(here.length === 0 ? ids : here).join(', ')}`,
    );
  }
  return [...new Set(clients)].map((given) => {
    const known = ids.find((id) => id === given);
    if (known !== undefined) return known;
    const nearest = closestName(given, ids);
    throw new UsageError(
      `there is no client called "${given}"`,
      didYouMean(nearest, `use one of: ${ids.join(', ')}`),
    );
  });
}

async function reachOf(
  context: Context,
  flags: InstallFlags,
  environment: HostEnvironment,
): Promise<GatewayReach> {
  const { http, profile } = flags;
  if (http === undefined && flags.background !== true) return programReach(flags, environment);
  const { url, file } = await addressOf(context, flags, environment);
  const path = profile === undefined ? '' : `/profile/${encodeURIComponent(profile)}`;
  const hasToken = flags.token !== false && file !== undefined;
  const token = hasToken ? await gatewayToken(file, environment) : undefined;
  return { kind: 'http', url: `${url}${path}`, token };
}

/** Without an address, the address of the gateway in the background is used, which may differ from the default. */
async function addressOf(
  { terminal }: Context,
  { http, background }: InstallFlags,
  environment: HostEnvironment,
): Promise<{ readonly url: string; readonly file: string | undefined }> {
  const isOpen = http === undefined || http === true;
  const running = isOpen || background === true ? await backgroundGateway(environment) : undefined;
  if (running !== undefined) {
    await demandAnswer(running, environment, terminal.interrupted);
    return { url: running.url, file: running.tokenFile };
  }
  return { url: `http://${hostAndPort(httpAddress(http))}/mcp`, file: tokenFile(environment) };
}

async function programReach(
  { profile }: InstallFlags,
  environment: HostEnvironment,
): Promise<GatewayReach> {
  const args = ['serve', ...(profile === undefined ? [] : ['--profile', profile])];
  const { cwd, env } = environment;
  const found = await findProgram({ command: 'plugboard', cwd, searched: env['PATH'] ?? '' });
  if (found.kind === 'executable') return { kind: 'stdio', command: 'plugboard', args };
  const { node, script } = ownProgram();
  return { kind: 'stdio', command: node, args: [script, ...args] };
}

/** The token in an Authorization header. */
const TOKEN = /(?<=Bearer )[\w~+/.=-]+/g;

function show({ terminal }: Context, planned: Planned, environment: HostEnvironment): void {
  const { out, err } = terminal;
  if (planned.kind === 'problem') {
    writeError(err, clientProblemWords(planned.problem, titleOf(planned.client), environment));
    return;
  }
  const { kind, file, before, after } = planned.change;
  const shown = `${titleOf(planned.client)} (${shortPath(file, environment)})`;
  if (kind === 'none') {
    err.write(`${shown}: nothing to change\n`);
    return;
  }
  const covered = (text = ''): string => text.replaceAll(TOKEN, '(the token)');
  const end = after === undefined ? ': nothing else is in this file, so it is deleted' : '';
  out.write(`${shown}${end}\n${textChange(out, covered(before), covered(after))}`);
}

async function isConfirmed(
  context: Context,
  { what, flags }: InstallRequest,
  count: number,
): Promise<boolean> {
  if (flags.dryRun === true) return false;
  if (flags.yes === true) return true;
  if (!canAsk(context)) return false;
  const files = count === 1 ? 'this file' : `these ${count} files`;
  const question = what === 'install' ? `Write ${files}? [y/N] ` : `Change ${files}? [y/N] `;
  return isYes((await context.terminal.input.ask(question)) ?? '');
}

interface InstallResult {
  readonly request: InstallRequest;
  readonly changes: readonly ClientChange[];
  readonly written: ReadonlyMap<ForeignHostId, ClientProblem | undefined>;
  readonly environment: HostEnvironment;
  /** Whether no gateway runs at the address. */
  readonly isUnserved: boolean;
  /** Whether a gateway still runs that no client uses any more. */
  readonly isLeft: boolean;
  /** Servers that a client has both in its own settings and through the gateway. */
  readonly twice: readonly ImportSource[];
  /** Whether `--all` found no client. */
  readonly hasNoClients: boolean;
}

async function offeredTwice(
  written: ReadonlyMap<ForeignHostId, unknown>,
  environment: HostEnvironment,
): Promise<readonly ImportSource[]> {
  const own = await writtenServers(await targetFile(environment, 'user'));
  if (!own.ok) return [];
  const planned = planImport(await foreignServers(environment), own.value);
  return planned.flatMap(({ change, sources }) =>
    sources.filter(
      ({ owner, host }) => change.kind === 'same' && owner === 'user' && written.has(host),
    ),
  );
}

function printResult({ terminal }: Context, result: InstallResult): void {
  const { request, changes, written, environment, isUnserved, isLeft, twice, hasNoClients } =
    result;
  const { err } = terminal;
  if (hasNoClients) err.write('No MCP client was found on this machine, so nothing changes.\n');
  if (changes.length === 0) return;
  if (written.size === 0) {
    err.write('Nothing was written.\n');
    if (request.flags.dryRun !== true) err.write(`Write it: ${commandOf(request)} --yes\n`);
    return;
  }
  for (const [host, problem] of written) {
    if (problem === undefined) continue;
    writeError(err, clientProblemWords(problem, titleOf(host), environment));
  }
  const done = [...written].filter(([, problem]) => problem === undefined);
  if (done.length === 0) return;
  err.write(`Written. Start ${done.map(([host]) => titleOf(host)).join(', ')} again to see it.\n`);
  if (isUnserved) {
    err.write(
      'No gateway is running yet. Start it in the background: plugboard serve --background\n',
    );
  }
  if (isLeft) err.write('A gateway is still running. Stop it: plugboard serve --stop\n');
  if (twice.length === 0) return;
  err.write(
    'These servers are also in the settings of clients. Remove them there, or each tool appears twice:\n',
  );
  for (const source of twice) {
    err.write(`  ${oneLine(`${source.name}: ${sourceText(source, environment)}`)}\n`);
  }
}

/** The command line of this command. */
function commandOf({ what, clients, flags }: InstallRequest): string {
  const { all, background, http, token, profile } = flags;
  return [
    ...['plugboard', what, ...clients],
    ...(all === true ? ['--all'] : []),
    ...(background === true ? ['--background'] : []),
    ...(http === undefined ? [] : ['--http', ...(http === true ? [] : [http])]),
    ...(token === false ? ['--no-token'] : []),
    ...(profile === undefined ? [] : ['--profile', profile]),
  ].join(' ');
}

/** The document for programs. It contains no text of a file, which may contain secrets. */
function documentOf(
  planned: readonly Planned[],
  written: ReadonlyMap<ForeignHostId, ClientProblem | undefined>,
  environment: HostEnvironment,
): unknown {
  return {
    clients: planned.map((each) => {
      const problem = each.kind === 'problem' ? each.problem : written.get(each.client);
      const file = each.kind === 'change' ? { file: each.change.file } : {};
      return {
        client: each.client,
        ...file,
        change: each.kind === 'change' ? each.change.kind : 'none',
        isWritten: written.has(each.client) && problem === undefined,
        ...(problem === undefined
          ? {}
          : { error: clientProblemWords(problem, titleOf(each.client), environment) }),
      };
    }),
  };
}

function titleOf(host: ForeignHostId): string {
  return FOREIGN_HOSTS.find(({ id }) => id === host)?.title ?? host;
}
