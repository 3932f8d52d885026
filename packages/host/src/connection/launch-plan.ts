// Prepares the launch of one server at the moment of connecting: secrets are read and the headers helper is run
// then, and never cached. A server that needs neither has its launch ready from the start.

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
import type { AuthorizationPort, Launch, SharedServer } from '../protocol/index.ts';
import { type Conceal, concealing } from './concealment.ts';
import { askHelper, type HeadersHelper, layHeaders } from './headers-helper.ts';
import { launchOf } from './launch-of.ts';
import type { ConnectionFailure } from './state.ts';
import { headerSecrets, writtenSecrets } from './written-secrets.ts';

/** The store of secrets, as far as a connection needs it. */
export interface SecretReader {
  /** `undefined` if none is stored under this name. The message of an error holds no secret. */
  get(name: string): Promise<Result<string | undefined, { readonly message: string }>>;
}

export interface PreparedLaunch {
  readonly launch: Launch;
  /** Present if something in the launch is, or may be, secret. */
  readonly conceal: Conceal | undefined;
}

type Preparation = Result<PreparedLaunch, ConnectionFailure>;

export interface LaunchPlan {
  readonly kind: Launch['kind'];
  /**
   * What to do when the server refuses its credentials: nothing; open once more with a new preparation; or
   * that, and also in the middle of a session.
   */
  readonly afterRefusal: 'give-up' | 'reopen' | 'renew';
  /** Synchronous if there is nothing to wait for. */
  prepare(signal: AbortSignal): Preparation | Promise<Preparation>;
}

export interface PlannedServer {
  readonly name: string;
  readonly entry: ServerEntry;
  /** The secrets that the entry names. */
  readonly secrets: readonly NeededSecret[];
  /** Its entry came with a project or a plugin. */
  readonly isForeign: boolean;
  /** Files that it runs, as they were approved; they are checked again before each start. */
  readonly scripts?: readonly ScriptFile[] | undefined;
  /** How its process is shared; absent if it belongs to one host. */
  readonly sharing?: SharedServer | undefined;
}

export interface PlanPorts {
  readonly environment: HostEnvironment;
  readonly secrets: SecretReader;
  readonly clock: Clock;
  readonly ledger?: ProcessLedger | undefined;
  /** How requests to a remote server are authorized; absent if sign-in is not supported. */
  readonly authorize?: ((server: ServerToAuthorize) => AuthorizationPort) | undefined;
}

/** A remote server, with its secrets filled in. */
export interface ServerToAuthorize {
  readonly name: string;
  readonly url: string;
  readonly oauth: Readonly<Record<string, unknown>> | undefined;
  /** The headers of its entry, without those that the headers helper prints. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Nothing to prepare. */
export function fixedPlan(launch: Launch, conceal?: Conceal): LaunchPlan {
  const prepared = ok({ launch, conceal });
  return { kind: launch.kind, afterRefusal: 'give-up', prepare: () => prepared };
}

export function planOf(
  server: PlannedServer,
  ports: PlanPorts,
): Result<LaunchPlan, ConnectionFailure> {
  const plan = uncheckedPlan(server, ports);
  const { scripts = [] } = server;
  if (!plan.ok || scripts.length === 0) return plan;
  return ok({
    ...plan.value,
    prepare: async (signal) => {
      const problems = await changedScripts(server.name, scripts);
      return problems.length === 0
        ? plan.value.prepare(signal)
        : err({ kind: 'unresolved', problems });
    },
  });
}

/** Between approval and start, a tool that writes files could have replaced the script. */
async function changedScripts(
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

function uncheckedPlan(
  server: PlannedServer,
  ports: PlanPorts,
): Result<LaunchPlan, ConnectionFailure> {
  const launch = launchOf(server.entry, ports.environment, server.sharing);
  if (!launch.ok) return launch;
  const helper = helperOf(server);
  if (!helper.ok) return helper;
  if (helper.value === undefined && server.secrets.length === 0) {
    const conceal = concealingAll(new Map(), writtenSecrets(server.entry));
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

function helperOf({
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
  // A query may hold the value of a variable.
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
    return ok({ launch: made, conceal: concealingAll(secrets, written) });
  }
  const printed = await askHelper(helper, signal, ports);
  if (printed === undefined) return err({ kind: 'cancelled' });
  if (!printed.ok) return err({ kind: 'helper-failed', reason: printed.error });
  const headers = layHeaders(printed.value, launch.headers);
  const conceal = concealingAll(secrets, [...written, ...headerSecrets(printed.value)]);
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

function concealingAll(
  secrets: ReadonlyMap<string, string>,
  others: readonly string[],
): Conceal | undefined {
  return secrets.size + others.length === 0 ? undefined : concealing(secrets, others);
}

/** An `Authorization` header in the entry is deliberate: no sign-in is added to it. */
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

interface FilledIn {
  readonly launch: Launch;
  readonly entry: ServerEntry;
  /** By their names. */
  readonly secrets: ReadonlyMap<string, string>;
}

type FillResult = Result<FilledIn, ConnectionFailure>;

async function withSecrets(
  server: PlannedServer,
  signal: AbortSignal,
  ports: PlanPorts,
): Promise<FillResult> {
  const { entry } = server;
  if (server.secrets.length === 0) return launched(server, entry, ports);
  const read = await readSecrets(secretsIn(entry), signal, ports);
  if (signal.aborted) return err({ kind: 'cancelled' });
  const problems = problemsOf(server, read);
  const filled = fillSecrets(entry, read.values);
  if (!filled.ok || problems.length > 0) return err({ kind: 'unresolved', problems });
  const made = launched(server, filled.value, ports);
  if (!made.ok) return made;
  const launch = withShownUrl(made.value.launch, entry);
  return ok({ launch, entry: filled.value, secrets: read.values });
}

function launched(
  { sharing }: PlannedServer,
  entry: ServerEntry,
  { environment }: PlanPorts,
): FillResult {
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
  /** Why the others could not be read; names in neither map are not stored. */
  readonly messages: ReadonlyMap<string, string>;
}

function problemsOf(
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

/** A store may have to prompt the user, who may be absent. */
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
    // An unexpected error of a store may hold anything, so it is not passed on.
    return err({ message: signal.aborted ? 'that took too long' : 'the store failed' });
  }
}
