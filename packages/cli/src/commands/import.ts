// `plugboard import`: copies servers from the configuration of other MCP hosts. Shows the changes, asks which servers to copy,
// and writes only those. Running it again changes nothing.

import {
  addServer,
  closestName,
  type Diagnostic,
  FOREIGN_HOSTS,
  type ForeignFile,
  foreignServers,
  type HostEnvironment,
  hostEnvironment,
  type PlannedImport,
  planImport,
  targetFile,
  writtenServers,
} from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { writeDiagnostics } from '../print/diagnostics.ts';
import { noteText, planText, type ShownPlan, shownFields } from '../print/import-plan.ts';
import { printJson } from '../print/json.ts';
import { shortPath } from '../print/place.ts';
import { didYouMean, UsageError } from '../usage-error.ts';
import { readConfigured } from './configured.ts';
import { editError, scopeOf } from './edit.ts';
import { askWhich } from './import-choice.ts';
import { approveOwnEdit } from './own-approval.ts';
import { isUntrusted } from './trust.ts';
import { notePrecedence } from './note-precedence.ts';

export interface ImportOptions {
  readonly scope: string;
  readonly all?: true;
  readonly only?: readonly string[];
  readonly dryRun?: true;
  readonly force?: true;
}

export interface ImportRequest {
  readonly hosts: readonly string[];
  readonly options: ImportOptions;
}

interface Plan extends Omit<ShownPlan, 'from'> {
  readonly environment: HostEnvironment;
  /** The command, for the user to repeat with other options. */
  readonly again: string;
  readonly diagnostics: readonly Diagnostic[];
}

export async function importServers(context: Context, request: ImportRequest): Promise<ExitCode> {
  const { options } = request;
  if (options.all === true && options.only !== undefined) {
    throw new UsageError('--all and --only cannot be combined', 'leave out one of them');
  }
  const plan = await planFor(request);
  const named = options.only === undefined ? undefined : namedServers(options.only, plan);
  if (!context.isJson) showPlan(context, plan);
  const chosen = options.dryRun === true ? [] : await choose(context, { plan, options, named });
  for (const server of chosen) await write(server, plan);
  if (context.isJson) printJson(context, documentOf(plan, { options, chosen }));
  else {
    printResult(context, { plan, options, chosen });
    for (const { name } of chosen) await notePrecedence(context, { name, file: plan.file });
  }
  await approveChosen(context, plan, chosen);
  // A file that could not be read may contain servers.
  const isWhole = plan.diagnostics.every(({ severity }) => severity !== 'error');
  return isWhole ? EXIT.ok : EXIT.usage;
}

async function planFor({ hosts, options }: ImportRequest): Promise<Plan> {
  const scope = scopeOf(options.scope);
  const wanted = hosts.map(hostNamed);
  const environment = hostEnvironment();
  const file = await targetFile(environment, scope);
  const existing = await writtenServers(file);
  if (!existing.ok) throw editError(existing.error, { name: '', file, from: environment });
  const found = (await foreignServers(environment)).filter(
    ({ host }) => wanted.length === 0 || wanted.includes(host),
  );
  const servers = planImport(found, existing.value);
  const choices = servers.filter(
    ({ change }) =>
      change.kind === 'new' || (change.kind === 'different' && options.force === true),
  );
  return {
    environment,
    again: ['plugboard import', ...wanted, ...(scope === 'user' ? [] : ['--scope', scope])].join(
      ' ',
    ),
    file,
    servers,
    choices,
    all: choices.filter((server) => scope === 'project' || isOfUser(server)),
    diagnostics: found.flatMap(({ diagnostics }) => diagnostics),
  };
}

/** Servers of a repository must not become the user's own without their decision. */
function isOfUser({ sources }: PlannedImport): boolean {
  return sources.some(({ owner }) => owner === 'user');
}

function hostNamed(text: string): ForeignFile['host'] {
  const ids = FOREIGN_HOSTS.map(({ id }) => id);
  const id = ids.find((candidate) => candidate === text);
  if (id !== undefined) return id;
  const nearest = closestName(text, ids);
  throw new UsageError(
    `there is no host called "${text}"`,
    didYouMean(nearest, `use one of: ${ids.join(', ')}`),
  );
}

function namedServers(names: readonly string[], plan: Plan): readonly PlannedImport[] {
  return [...new Set(names)].map((name) => {
    const server = plan.servers.find((candidate) => candidate.name === name);
    if (server !== undefined) return server;
    const known = plan.servers.map((candidate) => candidate.name);
    const nearest = closestName(name, known);
    throw new UsageError(
      `no other host has a server "${name}"`,
      didYouMean(nearest, 'see the list: plugboard import --dry-run'),
    );
  });
}

function showPlan({ terminal }: Context, plan: Plan): void {
  const { servers, environment, diagnostics } = plan;
  writeDiagnostics(terminal.err, diagnostics, environment);
  if (servers.length === 0) return;
  terminal.out.write(planText(terminal.out, { ...plan, from: environment }));
}

interface Choice {
  readonly plan: Plan;
  readonly options: ImportOptions;
  readonly named: readonly PlannedImport[] | undefined;
}

async function choose(
  context: Context,
  { plan, options, named }: Choice,
): Promise<readonly PlannedImport[]> {
  if (named !== undefined) {
    const differing = named.find(
      (server) => server.change.kind === 'different' && !plan.choices.includes(server),
    );
    if (differing === undefined) return named.filter((server) => plan.choices.includes(server));
    const shown = shortPath(plan.file, plan.environment);
    throw new UsageError(
      `another "${differing.name}" is already in ${shown}`,
      'add --force to replace it',
    );
  }
  if (options.all === true) return plan.all;
  const canAsk = !context.isJson && context.terminal.input.isTty && plan.choices.length > 0;
  return canAsk ? askWhich(context.terminal, plan) : [];
}

async function write({ name, entry, change }: PlannedImport, plan: Plan): Promise<void> {
  const { file, environment } = plan;
  const replace = change.kind === 'different' ? 'overwrite' : 'refuse';
  const added = await addServer({ file, name, entry, replace });
  if (!added.ok) throw editError(added.error, { name, file, from: environment });
}

/** Servers from the user's other programs are the user's own. Those from other files of this project need trust. */
async function approveChosen(
  context: Context,
  { file }: Plan,
  chosen: readonly PlannedImport[],
): Promise<void> {
  for (const server of chosen.filter(isOfUser)) {
    await approveOwnEdit(context, { name: server.name, file, wrote: 'entry' });
  }
  const others = chosen.filter((server) => !isOfUser(server));
  if (others.length === 0 || context.isJson) return;
  const { configuration } = await readConfigured();
  const waiting = others.filter(({ name }) =>
    configuration.servers.some((server) => server.name === name && isUntrusted(server)),
  );
  for (const { name } of waiting) {
    context.terminal.err.write(`"${name}" starts once you trust it: plugboard trust ${name}\n`);
  }
}

interface ImportResult {
  readonly plan: Plan;
  readonly options: ImportOptions;
  readonly chosen: readonly PlannedImport[];
}

function printResult({ terminal }: Context, { plan, options, chosen }: ImportResult): void {
  const { servers, choices, all, again } = plan;
  const say = (text: string): void => terminal.err.write(`${text}\n`);
  if (servers.length === 0) return say('Other hosts have no servers to import here.');
  if (chosen.length > 0) printWritten(say, { plan, options, chosen });
  else if (choices.length === 0) return say('Nothing is left to import.');
  else say('Nothing was written.');
  const isOpen = options.all !== true && options.only === undefined && !terminal.input.isTty;
  if (isOpen || options.dryRun === true) {
    if (all.length > 0) say(`Take all: ${again} --all`);
    say(`Take some: ${again} --only NAME`);
  } else if (options.all === true && all.length < choices.length) {
    const names = choices.filter((server) => !all.includes(server)).map(({ name }) => name);
    say(`From files of this project, taken only by name: ${again} --only ${names.join(' ')}`);
  }
}

function printWritten(say: (text: string) => void, { plan, options, chosen }: ImportResult): void {
  const names = chosen.map(({ name }) => `"${name}"`).join(', ');
  say(`Imported ${names} into ${shortPath(plan.file, plan.environment)}.`);
  if (options.scope === 'project' && chosen.some(hasPlainSecret)) {
    say('Careful: secrets are in clear in it, and it is for everyone who has the project.');
  }
}

function hasPlainSecret({ notes }: PlannedImport): boolean {
  return notes.some(({ kind }) => kind === 'plain-secret');
}

/** The document for programs. It contains no values of fields, since any may be a secret. */
function documentOf(
  { file, servers, choices, diagnostics }: Plan,
  { options, chosen }: Omit<ImportResult, 'plan'>,
): unknown {
  return {
    file,
    scope: options.scope,
    servers: servers.map((server) => ({
      name: server.name,
      change: server.change.kind,
      fields:
        server.change.kind === 'different'
          ? server.change.fields
          : [...shownFields(server.entry).keys()],
      sources: server.sources.map(({ host, owner, at }) => ({ host, owner, ...at })),
      notes: server.notes.map((note) => ({ kind: note.kind, text: noteText(note) })),
      canBeWritten: choices.includes(server),
      isWritten: chosen.includes(server),
    })),
    diagnostics,
  };
}
