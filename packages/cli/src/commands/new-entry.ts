// Creates the entry of a new server from a URL or a command, variables and headers.

import { ALL_TRANSPORTS, typeForScheme } from '@plugboard/host/configuration';
import { UsageError } from '../usage-error.ts';

export interface NewServer {
  /** A URL, or a command and its arguments. */
  readonly target: readonly string[];
  readonly transport?: string | undefined;
  /** `NAME=value` each. */
  readonly env?: readonly string[] | undefined;
  /** `Name: value` each. */
  readonly header?: readonly string[] | undefined;
  /** Where the command starts. */
  readonly cwd?: string | undefined;
}

/** The types that `add` can write. */
export const TRANSPORTS = ALL_TRANSPORTS.filter(({ needs }) => needs !== undefined).flatMap(
  ({ types }) => types.slice(0, 1),
);
const OLD_PATH = /^[^?#]*\/sse\/?(?:[?#]|$)/;
const URL_SCHEME = /^([a-z][a-z0-9+.-]*):\/\//i;

/** The entry as it is written into the file. */
export function entryOf(server: NewServer): Record<string, unknown> {
  const [first = '', ...rest] = server.target;
  const { env = [], header = [], cwd } = server;
  const type = server.transport ?? transportFor(first);
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
      ...(cwd === undefined ? {} : { cwd }),
    };
  }
  if (env.length > 0) {
    throw new UsageError(
      'a URL takes no environment variables',
      'use --header, or give a command after --',
    );
  }
  if (cwd !== undefined) {
    throw new UsageError(
      '--cwd does not apply to a URL',
      'leave out --cwd, or give a command after --',
    );
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
  if (scheme === undefined) return 'stdio';
  const type = typeForScheme(`${scheme}:`);
  if (type === undefined) {
    throw new UsageError(
      `a server cannot be reached by ${scheme}://`,
      'give an http:// or https:// URL, or a command after --',
    );
  }
  // Servers of the older SSE transport usually have this path, and hardly any others do.
  return type === 'http' && OLD_PATH.test(first) ? 'sse' : type;
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
    // The message does not repeat the text, which may be a secret.
    throw new UsageError(`${form.what} has no "${form.separator}"`, `write ${form.example}`);
  });
  return Object.fromEntries(pairs);
}
