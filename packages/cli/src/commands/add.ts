// `plugboard add`: writes one server into a configuration file, leaving the rest of it as it is.

import { addServer, hostEnvironment, targetFile } from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../print/json.ts';
import { shortPath } from '../print/place.ts';
import { UsageError } from '../usage-error.ts';
import { editError, scopeOf } from './edit.ts';
import { noteWinner } from './winner.ts';

export interface AddOptions {
  readonly scope: string;
  readonly transport?: string;
  readonly env?: readonly string[];
  readonly header?: readonly string[];
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
  if (!added.ok) throw editError(added.error, { name, file, from: environment });
  if (context.isJson) {
    printJson(context, { kind: added.value.kind, name, file });
    return EXIT.ok;
  }
  const words = added.value.kind === 'added' ? `Added "${name}" to` : `Replaced "${name}" in`;
  context.terminal.err.write(
    `${words} ${shortPath(file, environment)}.\nTry it: plugboard tools ${name}\n`,
  );
  await noteWinner(context, { name, file });
  return EXIT.ok;
}

const TRANSPORTS = ['stdio', 'http', 'sse', 'ws'];
const URL_SCHEME = /^([a-z][a-z0-9+.-]*):\/\//i;

/** The entry as it is to stand in the file. */
function entryOf({ target, options }: AddRequest): Record<string, unknown> {
  const [first = '', ...rest] = target;
  const { env = [], header = [] } = options;
  const type = options.transport ?? transportFor(first);
  if (!TRANSPORTS.includes(type)) {
    throw new UsageError(`there is no transport "${type}"`, `use one of: ${TRANSPORTS.join(', ')}`);
  }
  if (type === 'stdio') {
    if (header.length > 0) {
      throw new UsageError('a command takes no headers', 'use --env, or give a URL');
    }
    return {
      command: first,
      ...(rest.length === 0 ? {} : { args: rest }),
      ...(env.length === 0 ? {} : { env: pairsOf(env, ENV_FORM) }),
    };
  }
  if (env.length > 0) {
    throw new UsageError('a URL takes no environment', 'use --header, or give a command after --');
  }
  if (rest.length > 0) throw new UsageError('one URL is expected', `leave out: ${rest.join(' ')}`);
  return {
    type,
    url: first,
    ...(header.length === 0 ? {} : { headers: pairsOf(header, HEADER_FORM) }),
  };
}

function transportFor(first: string): string {
  const scheme = URL_SCHEME.exec(first)?.[1]?.toLowerCase();
  switch (scheme) {
    case undefined:
      return 'stdio';
    case 'http':
    case 'https':
      return 'http';
    case 'ws':
    case 'wss':
      return 'ws';
    default:
      throw new UsageError(
        `a server cannot be reached by ${scheme}://`,
        'give an http:// or https:// URL, or a command after --',
      );
  }
}

interface PairForm {
  readonly what: string;
  readonly separator: '=' | ':';
  readonly example: string;
}

const ENV_FORM: PairForm = {
  what: 'an environment variable',
  separator: '=',
  example: "--env 'TOKEN=${TOKEN}'",
};
const HEADER_FORM: PairForm = {
  what: 'a header',
  separator: ':',
  example: "--header 'Authorization: Bearer ${TOKEN}'",
};

function pairsOf(texts: readonly string[], form: PairForm): Record<string, string> {
  const pairs = texts.map((text) => {
    const at = text.indexOf(form.separator);
    if (at > 0) return [text.slice(0, at).trim(), text.slice(at + 1).trim()] as const;
    // Not shown back: it may be nothing but the secret.
    throw new UsageError(`${form.what} has no "${form.separator}"`, `write ${form.example}`);
  });
  return Object.fromEntries(pairs);
}
