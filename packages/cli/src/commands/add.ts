// `plugboard add`: writes one server into a configuration file, leaving the rest of it as it is.

import {
  addServer,
  EDITABLE_SCOPES,
  type EditableScope,
  type EditProblem,
  hostEnvironment,
  targetFile,
} from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../print/json.ts';
import { shortPath } from '../print/place.ts';
import { UsageError } from '../usage-error.ts';

export interface AddOptions {
  readonly scope: string;
  readonly transport?: string;
  readonly env: readonly string[];
  readonly header: readonly string[];
  readonly force?: true;
}

export interface AddRequest {
  readonly name: string;
  readonly target: readonly string[];
  readonly options: AddOptions;
}

export async function add(context: Context, request: AddRequest): Promise<ExitCode> {
  const { name, options } = request;
  const entry = entryOf(request);
  const environment = hostEnvironment();
  const file = await targetFile(environment, scopeOf(options.scope));
  const replace = options.force === true ? 'overwrite' : 'refuse';
  const added = await addServer({ file, name, entry, replace });
  if (!added.ok) throw editError(added.error, { name, file });
  if (context.isJson) {
    printJson(context, { ...added.value, name, file });
  } else {
    const verb = added.value.kind === 'added' ? 'Added' : 'Replaced';
    context.terminal.err(
      `${verb} "${name}" in ${shortPath(file, environment.cwd)}.\nTry it: plugboard tools ${name}\n`,
    );
  }
  return EXIT.ok;
}

export function scopeOf(text: string): EditableScope {
  const scope = EDITABLE_SCOPES.find((candidate) => candidate === text);
  if (scope !== undefined) return scope;
  throw new UsageError(`"${text}" is no scope`, `use one of: ${EDITABLE_SCOPES.join(', ')}`);
}

/** The entry as it is to stand in the file. */
export function entryOf({ target, options }: AddRequest): Record<string, unknown> {
  const [first = '', ...rest] = target;
  const isUrl = /^(?:https?|wss?):\/\//i.test(first) && rest.length === 0;
  if (options.transport === 'stdio' || (options.transport === undefined && !isUrl)) {
    if (options.header.length > 0) {
      throw new UsageError('a command takes no headers', 'use --env, or give a URL');
    }
    return {
      command: first,
      ...(rest.length === 0 ? {} : { args: rest }),
      ...pairsOf('env', options.env, '='),
    };
  }
  if (options.env.length > 0) {
    throw new UsageError('a URL takes no environment', 'use --header, or give a command after --');
  }
  if (rest.length > 0) throw new UsageError('one URL is expected', `leave out: ${rest.join(' ')}`);
  const type = options.transport ?? (/^wss?:/i.test(first) ? 'ws' : 'http');
  return { type, url: first, ...pairsOf('headers', options.header, ':') };
}

function pairsOf(
  key: 'env' | 'headers',
  texts: readonly string[],
  separator: '=' | ':',
): Record<string, unknown> {
  if (texts.length === 0) return {};
  const pairs = texts.map((text) => {
    const at = text.indexOf(separator);
    if (at > 0) return [text.slice(0, at).trim(), text.slice(at + 1).trim()] as const;
    const form = separator === '=' ? 'KEY=VALUE' : "'NAME: VALUE'";
    throw new UsageError(`"${text}" does not have the form ${form}`, `write it as ${form}`);
  });
  return { [key]: Object.fromEntries(pairs) };
}

export function editError(
  problem: EditProblem,
  { name, file }: { readonly name: string; readonly file: string },
): UsageError {
  switch (problem.kind) {
    case 'exists':
      return new UsageError(`"${name}" is already in ${file}`, 'add --force to replace it');
    case 'not-found':
      return new UsageError(`"${name}" is not in ${file}`, 'run: plugboard list');
    case 'invalid-entry': {
      const [first] = problem.diagnostics;
      return new UsageError(first?.message ?? 'the entry is broken', first?.suggestion ?? '');
    }
    case 'invalid-file': {
      const { message, suggestion, line, column } = problem.diagnostic;
      const at = line === 0 ? file : `${file}:${line}:${column}`;
      return new UsageError(`${at}: ${message} Nothing was changed.`, suggestion);
    }
    case 'unwritable':
      return new UsageError(
        `${problem.file} cannot be written (${problem.code})`,
        'check its permissions and the space on the disk',
      );
    default:
      return problem satisfies never;
  }
}
