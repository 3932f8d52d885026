// Prepares the launch of one server at the moment of connecting: reads its secrets and runs its headers helper, and
// caches neither. The launch of a server without both is ready from the start.

import type { ScriptFile } from '../admission/index.ts';
import { abortable, type Clock, deadline, err, ok, type Result } from '@plugboard/base';
import {
  type Diagnostic,
  fillSecrets,
  type NeededSecret,
  programPath,
  secretDiagnostic,
  secretsIn,
  type ServerEntry,
  splitCommand,
  unfitSecrets,
  withSecretsAsWritten,
} from '../config/index.ts';
import {
  fileDigest,
  type HostEnvironment,
  openStartFolder,
  type ProcessLedger,
} from '../platform/index.ts';
import type { AuthorizationPort, Launch, RemoteServer, SharedServer } from '../protocol/index.ts';
import { type Conceal, createConceal } from './concealment.ts';
import { runHelper, type HeadersHelper, mergeHeaders } from './headers-helper.ts';
import { launchOf } from './launch-of.ts';
import type { ConnectionFailure } from './state.ts';
import { headerSecrets, writtenSecrets } from './written-secrets.ts';

/** The part of the secret store that a connection needs. */
export interface SecretReader {
  /** Returns `undefined` if the name is not stored. The message of an error contains no secret. */
  get(name: string): Promise<Result<string | undefined, { readonly message: string }>>;
}

export interface PreparedLaunch {
  readonly launch: Launch;
  /** Present if the launch contains secrets, or values that may be secret. */
  readonly conceal: Conceal | undefined;
}

type Preparation = Result<PreparedLaunch, ConnectionFailure>;

export interface LaunchPlan {
  readonly kind: Launch['kind'];
  /**
   * What to do when the server refuses its credentials: `give-up`; `reopen`, prepare and open once more; `renew`, the
   * same also in the middle of a session.
   */
  readonly afterRefusal: 'give-up' | 'reopen' | 'renew';
  /** Synchronous if nothing has to be awaited. */
  prepare(signal: AbortSignal): Preparation | Promise<Preparation>;
}

export interface PlannedServer {
  readonly name: string;
  readonly entry: ServerEntry;
  /** The secrets that the entry names. */
  readonly secrets: readonly NeededSecret[];
  /** The entry came with a project or a plugin. */
  readonly isForeign: boolean;
  /** The scripts that it runs, as they were approved; checked again before each start. */
  readonly scripts?: readonly ScriptFile[] | undefined;
  /** How hosts share its process; absent if it belongs to one host. */
  readonly sharing?: SharedServer | undefined;
}

export interface PlanPorts {
  readonly environment: HostEnvironment;
  readonly secrets: SecretReader;
  readonly clock: Clock;
  readonly ledger?: ProcessLedger | undefined;
  /** How requests to a remote server are authorized; absent if sign-in is not supported. */
  readonly authorize?: ((server: RemoteServer) => AuthorizationPort) | undefined;
}

/** The plan of a server whose launch is known from the start. */
export function fixedPlan(launch: Launch, conceal?: Conceal): LaunchPlan {
  const prepared = ok({ launch, conceal });
  return { kind: launch.kind, afterRefusal: 'give-up', prepare: () => prepared };
}

export function planOf(
  server: PlannedServer,
  ports: PlanPorts,
): Result<LaunchPlan, ConnectionFailure> {
  const plan = planWithoutScripts(server, ports);
  const { scripts = [] } = server;
  if (!plan.ok || scripts.length === 0) return plan;
  return ok({
    ...plan.value,
    prepare: async (signal) => {
      const problems = await findChangedScripts(server.name, scripts);
      return problems.length === 0
        ? plan.value.prepare(signal)
        : err({ kind: 'unresolved', problems });
    },
  });
}

/** Reports replaced scripts: a tool that writes files could change them between approval and start. */
async function findChangedScripts(
  server: string,
  scripts: readonly ScriptFile[],
): Promise<readonly Diagnostic[]> {
  const found = await Promise.all(
    scripts.map(async ({ path, shown, digest }): Promise<readonly Diagnostic[]> => {
      if ((await fileDigest(path)) === digest) return [];
      return [
        {
          severity: 'error',
          code: 'file-untrusted',
          message: `${shown} has changed since "${server}" was approved.`,
          suggestion: `Look at it, and approve it: plugboard trust ${server}`,
          file: path,
          line: 1,
          column: 1,
          server,
        },
      ];
    }),
  );
  return found.flat();
}

function planWithoutScripts(
  server: PlannedServer,
  ports: PlanPorts,
): Result<LaunchPlan, ConnectionFailure> {
  const launch = launchOf(server.entry, ports.environment, server.sharing);
  if (!launch.ok) return launch;
  const helper = helperFor(server);
  if (!helper.ok) return helper;
  if (helper.value === undefined && server.secrets.length === 0) {
    const conceal = concealFor(new Map(), writtenSecrets(server.entry));
    const made = authorized(launch.value, server, ports);
    const fixed = fixedPlan(made, conceal);
    if (made.kind !== 'stdio') return ok(fixed);
    return ok({
      ...fixed,
      prepare: () => ok({ launch: withStartFolder(made, server, ports), conceal }),
    });
  }
  return ok({
    kind: launch.value.kind,
    afterRefusal: helper.value === undefined ? 'reopen' : 'renew',
    prepare: (signal) => prepare({ ...server, helper: helper.value }, signal, ports),
  });
}

function helperFor({
  name,
  entry,
  isForeign,
}: PlannedServer): Result<HeadersHelper | undefined, ConnectionFailure> {
  if (!('headersHelper' in entry) || entry.headersHelper === undefined) return ok(undefined);
  const command = splitCommand(entry.headersHelper);
  if (!command.ok) {
    return err({
      kind: 'helper-failed',
      reason: { kind: 'bad-command', problem: command.error },
    });
  }
  // A query may contain the value of a variable.
  const url = withSecretsAsWritten(entry.url).replace(/[?#].*$/s, '');
  const { cwd, programFolder } = entry;
  const { command: program, args } = command.value;
  return ok({
    command: { command: programPath(program, programFolder), args },
    server: name,
    url,
    isForeign,
    startsIn: cwd,
  });
}

async function prepare(
  server: PlannedServer & { readonly helper: HeadersHelper | undefined },
  signal: AbortSignal,
  ports: PlanPorts,
): Promise<Preparation> {
  const { helper } = server;
  const filled = await withSecrets(server, signal, ports);
  if (!filled.ok) return filled;
  const { entry, launch, secrets } = filled.value;
  const named = { name: server.name, entry };
  const written = writtenSecrets(entry);
  if (helper === undefined || !('headers' in launch)) {
    const made = authorized(withStartFolder(launch, named, ports), named, ports);
    return ok({ launch: made, conceal: concealFor(secrets, written) });
  }
  const printed = await runHelper(helper, signal, ports);
  if (printed === undefined) return err({ kind: 'cancelled' });
  if (!printed.ok) return err({ kind: 'helper-failed', reason: printed.error });
  const headers = mergeHeaders(printed.value, launch.headers);
  const conceal = concealFor(secrets, [...written, ...headerSecrets(printed.value)]);
  return ok({ launch: authorized({ ...launch, headers }, named, ports), conceal });
}

/** Creates the folder immediately before the start, since it may have been removed. */
function withStartFolder(
  launch: Launch,
  { entry }: Pick<PlannedServer, 'entry'>,
  { environment }: PlanPorts,
): Launch {
  if (launch.kind !== 'stdio' || launch.cwd === undefined) return launch;
  // npm requires the folder that it is given to exist.
  if ('npmPrefix' in entry) openStartFolder(entry.npmPrefix, environment);
  return { ...launch, cwd: openStartFolder(launch.cwd, environment) };
}

function concealFor(
  secrets: ReadonlyMap<string, string>,
  others: readonly string[],
): Conceal | undefined {
  return secrets.size + others.length === 0 ? undefined : createConceal(secrets, others);
}

/** Adds the sign-in, unless the entry contains an `Authorization` header, which is deliberate. */
function authorized(
  launch: Launch,
  { name, entry }: Pick<PlannedServer, 'name' | 'entry'>,
  { authorize }: PlanPorts,
): Launch {
  if (authorize === undefined || !('headers' in launch) || !('url' in entry)) return launch;
  const isGiven = Object.keys(launch.headers).some((key) => key.toLowerCase() === 'authorization');
  if (isGiven) return launch;
  const { oauth, headers } = entry;
  return { ...launch, authorization: authorize({ name, url: launch.url, oauth, headers }) };
}

interface ResolvedLaunch {
  readonly launch: Launch;
  readonly entry: ServerEntry;
  /** By their names. */
  readonly secrets: ReadonlyMap<string, string>;
}

type ResolveResult = Result<ResolvedLaunch, ConnectionFailure>;

async function withSecrets(
  server: PlannedServer,
  signal: AbortSignal,
  ports: PlanPorts,
): Promise<ResolveResult> {
  const { entry } = server;
  if (server.secrets.length === 0) return resolveLaunch(server, entry, ports);
  const read = await readSecrets(secretsIn(entry), signal, ports);
  if (signal.aborted) return err({ kind: 'cancelled' });
  const problems = secretProblems(server, read);
  const filled = fillSecrets(entry, read.values);
  if (!filled.ok || problems.length > 0) return err({ kind: 'unresolved', problems });
  const made = resolveLaunch(server, filled.value, ports);
  if (!made.ok) return made;
  const launch = withShownUrl(made.value.launch, entry);
  return ok({ launch, entry: filled.value, secrets: read.values });
}

function resolveLaunch(
  { sharing }: PlannedServer,
  entry: ServerEntry,
  { environment }: PlanPorts,
): ResolveResult {
  const launch = launchOf(entry, environment, sharing);
  return launch.ok ? ok({ launch: launch.value, entry, secrets: new Map() }) : launch;
}

function withShownUrl(launch: Launch, entry: ServerEntry): Launch {
  if (!('url' in launch) || !('url' in entry)) return launch;
  const shownUrl = withSecretsAsWritten(entry.url);
  return shownUrl === entry.url ? launch : { ...launch, shownUrl };
}

interface ReadSecrets {
  readonly values: ReadonlyMap<string, string>;
  /** Error messages for names that could not be read; names in neither map are not stored. */
  readonly messages: ReadonlyMap<string, string>;
}

function secretProblems(
  { entry, secrets }: PlannedServer,
  { values, messages }: ReadSecrets,
): readonly Diagnostic[] {
  const unfit = new Set(unfitSecrets(entry, values));
  return secrets.flatMap((secret) => {
    const message = messages.get(secret.name);
    if (message !== undefined) return [secretDiagnostic(secret, { kind: 'unreadable', message })];
    if (!values.has(secret.name)) return [secretDiagnostic(secret, { kind: 'missing' })];
    return unfit.has(secret.name) ? [secretDiagnostic(secret, { kind: 'unfit' })] : [];
  });
}

/** A time limit, because a store may prompt a user who is absent. */
const SECRETS_MS = 30_000;

async function readSecrets(
  names: readonly string[],
  signal: AbortSignal,
  ports: PlanPorts,
): Promise<ReadSecrets> {
  using limit = deadline(SECRETS_MS, ports.clock, signal);
  const values = new Map<string, string>();
  const messages = new Map<string, string>();
  await Promise.all(
    names.map(async (name) => {
      const read = await readSecret(name, limit.signal, ports);
      if (!read.ok) messages.set(name, read.error.message);
      else if (read.value !== undefined) values.set(name, read.value);
    }),
  );
  return { values, messages };
}

async function readSecret(
  name: string,
  signal: AbortSignal,
  { secrets }: PlanPorts,
): ReturnType<SecretReader['get']> {
  try {
    return await abortable(secrets.get(name), signal);
  } catch {
    // The error of a store may contain a secret, so it is not passed on.
    return err({ message: signal.aborted ? 'that took too long' : 'the store failed' });
  }
}
