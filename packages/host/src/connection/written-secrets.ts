// Collects the values of a resolved entry that are probably secret: credentials by their names and form, all headers,
// and the parts of an address beside its path. Errs towards hiding, but leaves out values so short that they occur in
// any text. Pure.

import { looksLikeToken, soundsSecret } from '@plugboard/base';
import { byForm, type RemoteEntry, type ServerEntry, type StdioEntry } from '../config/index.ts';

/** Shorter values occur in any text by chance. */
const SHORTEST = 6;

export function writtenSecrets(entry: ServerEntry): readonly string[] {
  return longEnough(byForm(entry, { stdio: processValues, remote: remoteValues, sdk: () => [] }));
}

/** The secrets in headers that a helper printed. */
export function headerSecrets(headers: Readonly<Record<string, string>>): readonly string[] {
  return longEnough(headerValues(headers));
}

function longEnough(values: readonly string[]): readonly string[] {
  return [...new Set(values)].filter((value) => value.length >= SHORTEST);
}

function processValues({ env, args }: StdioEntry): readonly string[] {
  return [
    ...Object.entries(env).flatMap(([name, value]) => namedValues(name, value)),
    ...argumentValues(args),
  ];
}

function remoteValues({ url, headers, oauth }: RemoteEntry): readonly string[] {
  const options = Object.entries(oauth ?? {}).flatMap(([name, value]) => {
    if (typeof value !== 'string') return [];
    // Its name sounds like credentials, but the address is shown to the user at sign-in.
    if (name === 'authServerMetadataUrl') return addressValues(value);
    return namedValues(name === 'assertion' ? 'token' : name, value);
  });
  return [...headerValues(headers), ...addressValues(url), ...options];
}

function namedValues(name: string, value: string): readonly string[] {
  return soundsSecret(name) || looksLikeToken(value) ? [value] : urlCredentials(value);
}

/** Handles `--token x` and `--token=x`. */
function argumentValues(args: readonly string[]): readonly string[] {
  return args.flatMap((arg, index) => {
    const [, name, value] = /^-*([-\w]+)=(.*)$/s.exec(arg) ?? [];
    if (name !== undefined && value !== undefined) return namedValues(name, value);
    const before = args[index - 1] ?? '';
    const isValue = /^--?[-\w]+$/.test(before) && !arg.startsWith('-');
    return namedValues(isValue ? before : '', arg);
  });
}

/** Headers that describe the request and are the same for every user. */
const OPEN_HEADERS: ReadonlySet<string> = new Set([
  ...['accept', 'accept-encoding', 'accept-language', 'content-type', 'cache-control', 'origin'],
  ...['user-agent', 'referer', 'host', 'connection'],
]);

function headerValues(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (OPEN_HEADERS.has(name.toLowerCase())) return [];
    // Servers quote the token without its scheme.
    const [, token] = /^\S+ +(\S.*)$/s.exec(value) ?? [];
    return token === undefined ? [value] : [value, token];
  });
}

function addressValues(url: string): readonly string[] {
  const query = /\?([^#]*)/s.exec(url)?.[1] ?? '';
  const values = query.split('&').flatMap((pair) => pair.split('=').slice(1).join('=') || []);
  return [...urlCredentials(url), ...values.flatMap(withDecoded)];
}

/** `scheme://user:password@` or `scheme://token@`. */
function urlCredentials(text: string): readonly string[] {
  const [, user = '', password] = /:\/\/([^/\s:@]*)(?::([^/\s]*))?@/.exec(text) ?? [];
  return withDecoded(password ?? user);
}

function withDecoded(value: string): readonly string[] {
  try {
    return [value, decodeURIComponent(value)];
  } catch {
    // The value is not validly encoded.
    return [value];
  }
}
