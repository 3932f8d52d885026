// `plugboard add`: writes one server into a configuration file, leaving the rest of it as it is. What is
// not given is asked for, where there is a person to ask.

import { hostEnvironment, targetFile } from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { shortPath } from '../print/place.ts';
import { UsageError } from '../usage-error.ts';
import { readConfigured } from './configured.ts';
import { scopeOf } from './edit.ts';
import { madeName } from './made-name.ts';
import { entryOf } from './new-entry.ts';
import { warnOfSecrets } from './plain-secrets.ts';
import { putServer } from './put-server.ts';

export interface AddOptions {
  readonly scope?: string;
  readonly transport?: string;
  readonly env?: readonly string[];
  readonly header?: readonly string[];
  readonly force?: true;
}

export interface AddRequest {
  /** Made from the target where it is left out. */
  readonly name?: string | undefined;
  /** Empty: not given. */
  readonly target: readonly string[];
  readonly options: AddOptions;
}

export async function add(context: Context, request: AddRequest): Promise<ExitCode> {
  const { target, options } = request;
  if (target.length === 0) return addByAsking(context, request);
  const environment = hostEnvironment();
  const name = request.name ?? (await nameFor(context, target));
  const entry = entryOf({ target, ...options });
  const file = await targetFile(environment, scopeOf(options.scope ?? 'local'));
  const replace = options.force === true ? 'overwrite' : 'refuse';
  const code = await putServer(context, { name, entry, file, environment, replace });
  warnOfSecrets(context, { name, entry, file: shortPath(file, environment) });
  return code;
}

/** One that no server has yet, in whatever scope. */
async function nameFor(context: Context, target: readonly string[]): Promise<string> {
  const { rows } = await readConfigured();
  const name = madeName(target, new Set(rows.map((row) => row.name)));
  if (!context.isJson) {
    context.terminal.err.write(
      `The name "${name}" is made from what it runs; give another before it: plugboard add NAME …\n`,
    );
  }
  return name;
}

async function addByAsking(context: Context, { name, options }: AddRequest): Promise<ExitCode> {
  const { input, err } = context.terminal;
  if (context.isJson || !input.isTty || !err.isTty) {
    throw new UsageError(
      `missing required argument '${name === undefined ? 'name' : 'target'}'`,
      'see how it is used: plugboard add --help',
    );
  }
  const { askForServer, mayReplace } = await import('./add-dialogue.ts');
  const environment = hostEnvironment();
  const answers = await askForServer(context.terminal, { ...options, name, environment });
  if (answers === undefined) {
    err.write('Nothing was added.\n');
    return EXIT.usage;
  }
  return putServer(context, {
    ...answers,
    environment,
    replace: options.force === true ? 'overwrite' : 'refuse',
    mayReplace: () => mayReplace(context.terminal, answers.name),
  });
}
