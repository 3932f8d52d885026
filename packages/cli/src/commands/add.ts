// `plugboard add`: writes one server into a configuration file, and leaves the rest of the file unchanged. On a terminal,
// asks for missing values.

import { resolve } from 'node:path';
import {
  type HostEnvironment,
  hostEnvironment,
  IN_PROJECT,
  targetFile,
} from '@plugboard/host/configuration';
import { canAsk, type Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { pathsNote } from '../print/add-words.ts';
import { shortPath } from '../print/place.ts';
import { serverRows } from '../print/servers.ts';
import { UsageError } from '../usage-error.ts';
import { readConfigured } from './configured.ts';
import { scopeOf } from './edit.ts';
import { suggestedName } from './suggested-name.ts';
import { entryOf } from './new-entry.ts';
import { type NewEntry, pathsHere, withAbsoluteProgram } from './paths-here.ts';
import { warnOfSecrets } from './plain-secrets.ts';
import { putServer } from './put-server.ts';

export interface AddOptions {
  readonly scope?: string;
  readonly transport?: string;
  readonly env?: readonly string[];
  readonly header?: readonly string[];
  /** The folder in which the command starts: `project`, or a path. */
  readonly cwd?: string;
  readonly force?: true;
}

export interface AddRequest {
  /** Derived from the target if omitted. */
  readonly name?: string | undefined;
  /** Empty if not given. */
  readonly target: readonly string[];
  readonly options: AddOptions;
}

export async function add(context: Context, request: AddRequest): Promise<ExitCode> {
  const { target, options } = request;
  if (target.length === 0) return addByAsking(context, request);
  const environment = hostEnvironment();
  const name = request.name ?? (await nameFor(context, target));
  const scope = scopeOf(options.scope ?? 'local');
  const typed = entryOf({ target, ...options, cwd: folderOf(options, environment) });
  const whole = withAbsoluteProgram({ entry: typed, scope, environment });
  const { entry, note } = await placePaths(context, { entry: whole, scope, environment });
  const file = await targetFile(environment, scope);
  const replace = options.force === true ? 'overwrite' : 'refuse';
  const code = await putServer(context, { name, entry, file, environment, replace });
  if (note !== undefined && !context.isJson) context.terminal.err.write(note);
  warnOfSecrets(context, { name, entry, file: shortPath(file, environment) });
  return code;
}

/** A path is relative to the current folder. */
function folderOf({ cwd }: AddOptions, environment: HostEnvironment): string | undefined {
  return cwd === undefined || cwd === IN_PROJECT ? cwd : resolve(environment.cwd, cwd);
}

interface PlacedEntry {
  readonly entry: NewEntry['entry'];
  /** A warning about words that are no longer paths where the server starts, if the user cannot be asked. */
  readonly note?: string;
}

async function placePaths(context: Context, added: NewEntry): Promise<PlacedEntry> {
  const here = await pathsHere(added);
  if (here === undefined) return added;
  if (!canAsk(context)) {
    return { entry: added.entry, note: pathsNote(here) };
  }
  const { askWhereItStarts } = await import('./add-dialogue.ts');
  return { entry: (await askWhereItStarts(context.terminal, here)) ? here.entry : added.entry };
}

/** A name that no server in any scope has. */
async function nameFor(context: Context, target: readonly string[]): Promise<string> {
  const rows = serverRows(await readConfigured());
  const name = suggestedName(target, new Set(rows.map((row) => row.name)));
  if (!context.isJson) {
    context.terminal.err.write(
      `The name "${name}" is made from what it runs; give another before it: plugboard add NAME …\n`,
    );
  }
  return name;
}

async function addByAsking(context: Context, { name, options }: AddRequest): Promise<ExitCode> {
  if (!canAsk(context)) {
    throw new UsageError(
      `missing required argument '${name === undefined ? 'name' : 'target'}'`,
      'see the usage: plugboard add --help',
    );
  }
  const { askForServer, mayReplace } = await import('./add-dialogue.ts');
  const environment = hostEnvironment();
  const cwd = folderOf(options, environment);
  const given = { ...options, cwd, name, environment };
  const answers = await askForServer(context.terminal, given);
  if (answers === undefined) {
    context.terminal.err.write('Nothing was added.\n');
    return EXIT.usage;
  }
  return putServer(context, {
    ...answers,
    environment,
    replace: options.force === true ? 'overwrite' : 'refuse',
    mayReplace: () => mayReplace(context.terminal, answers.name),
  });
}
