// What of an entry, with everything filled in, is likely to be a secret: credentials by their names and
// their looks, all headers, and what an address carries beside its path. A guess that errs towards
// hiding; values so short that they would be found in any text are left alone. Pure.

import { looksLikeToken, soundsSecret } from '@plugboard/base';
import { byForm, type RemoteEntry, type ServerEntry, type StdioEntry } from '../config/index.ts';

/** Shorter ones stand in every text by chance. */
const SHORTEST = 6;

export function writtenSecrets(entry: ServerEntry): readonly string[] {
  return worthHiding(byForm(entry, { stdio: ofProcess, remote: ofRemote, sdk: () => [] }));
}

/** What a command printed to be sent as headers. */
export function headerSecrets(headers: Readonly<Record<string, string>>): readonly string[] {
  return worthHiding(ofHeaders(headers));
}

function worthHiding(values: readonly string[]): readonly string[] {
  return [...new Set(values)].filter((value) => value.length >= SHORTEST);
}

function ofProcess({ env, args }: StdioEntry): readonly string[] {
  return [
    ...Object.entries(env).flatMap(([name, value]) => ofNamed(name, value)),
    ...ofWords(args),
  ];
}

function ofRemote({ url, headers, oauth }: RemoteEntry): readonly string[] {
  const options = Object.entries(oauth ?? {}).flatMap(([name, value]) => {
    if (typeof value !== 'string') return [];
    // Its name sounds of credentials, and people are told where they would sign in.
    if (name === 'authServerMetadataUrl') return ofAddress(value);
    return ofNamed(name === 'assertion' ? 'token' : name, value);
  });
  return [...ofHeaders(headers), ...ofAddress(url), ...options];
}

function ofNamed(name: string, value: string): readonly string[] {
  return soundsSecret(name) || looksLikeToken(value) ? [value] : ofCredentials(value);
}

/** `--token x` and `--token=x`. */
function ofWords(words: readonly string[]): readonly string[] {
  return words.flatMap((word, index) => {
    const [, name, value] = /^-*([-\w]+)=(.*)$/s.exec(word) ?? [];
    if (name !== undefined && value !== undefined) return ofNamed(name, value);
    const before = words[index - 1] ?? '';
    const isValue = /^--?[-\w]+$/.test(before) && !word.startsWith('-');
    return ofNamed(isValue ? before : '', word);
  });
}

/** Say what is sent and how, and are the same for everybody. */
const OPEN_HEADERS: ReadonlySet<string> = new Set([
  ...['accept', 'accept-encoding', 'accept-language', 'content-type', 'cache-control', 'origin'],
  ...['user-agent', 'referer', 'host', 'connection'],
]);

function ofHeaders(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (OPEN_HEADERS.has(name.toLowerCase())) return [];
    // Servers quote the token without the word before it.
    const [, token] = /^\S+ +(\S.*)$/s.exec(value) ?? [];
    return token === undefined ? [value] : [value, token];
  });
}

function ofAddress(url: string): readonly string[] {
  const query = /\?([^#]*)/s.exec(url)?.[1] ?? '';
  const values = query.split('&').flatMap((pair) => pair.split('=').slice(1).join('=') || []);
  return [...ofCredentials(url), ...values.flatMap(alsoDecoded)];
}

/** `scheme://user:password@` or `scheme://token@`. */
function ofCredentials(text: string): readonly string[] {
  const [, user = '', password] = /:\/\/([^/\s:@]*)(?::([^/\s]*))?@/.exec(text) ?? [];
  return alsoDecoded(password ?? user);
}

function alsoDecoded(value: string): readonly string[] {
  try {
    return [value, decodeURIComponent(value)];
  } catch {
    // What is not encoded soundly stands for itself.
    return [value];
  }
}
