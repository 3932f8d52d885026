// Identifies the server to which pins belong: by its name and by its program or address. Credentials and variables do
// not count: a renewed token must not lose the pins. A server that came with a folder belongs to that folder, since
// another folder may have another server with its name. The key is a hash, so that it can be a file name and reveals
// nothing.

import { hash } from 'node:crypto';
import { isUrl, looksLikeToken, soundsSecret } from '@plugboard/base';
import {
  type ConfiguredServer,
  entryTarget,
  type EntryTarget,
  IN_PROJECT,
  isForeign,
} from '../config/index.ts';

export interface PinSubject {
  readonly server: string;
  readonly key: string;
  /** Equal for two servers that run the same program or are on the same host. */
  readonly software: string;
}

const KEY_LENGTH = 40;

/**
 * `undefined` for a server in this process: running the program accepts it. `here` is the host's folder.
 */
export function pinSubjectOf(server: ConfiguredServer, here: string): PinSubject | undefined {
  const { name, resolved, origin, author } = server;
  if (resolved.kind !== 'ready') return undefined;
  const target = entryTarget(resolved.entry);
  if (target.kind === 'none') return undefined;
  const place = isForeign(author) && origin.kind === 'file' ? origin.file : null;
  const cwd = statedFolder(server);
  const identity = ['plugboard pins', 1, name, place, ...identityOf(target, cwd, here)];
  const key = hash('sha256', JSON.stringify(identity), 'hex');
  return { server: name, key: key.slice(0, KEY_LENGTH), software: softwareOf(target) };
}

type StatedTarget = Exclude<EntryTarget, { readonly kind: 'none' }>;

/** The folder that the entry states; `undefined` for the host's own folder. */
function statedFolder({ written, resolved }: ConfiguredServer): string | undefined {
  if (resolved.kind !== 'ready' || !('command' in resolved.entry)) return undefined;
  const isStated = 'cwd' in written && written.cwd !== undefined && written.cwd !== IN_PROJECT;
  return isStated ? resolved.entry.cwd : undefined;
}

function identityOf(
  target: StatedTarget,
  cwd: string | undefined,
  here: string,
): readonly unknown[] {
  if (target.kind === 'url') return ['remote', addressWithoutQuery(target.url)];
  const [command, ...args] = target.argv;
  // A relative command is another program in another folder.
  const isRelative = target.argv.some((word) => /^\.{1,2}[/\\]/.test(word));
  return ['stdio', command, withoutSecrets(args), cwd ?? (isRelative ? here : null)];
}

/** Without the query, which may contain tokens. */
function addressWithoutQuery(url: string): string {
  return isUrl(url) ? new URL(url).origin + new URL(url).pathname : url;
}

/** Removes the values of `--token abc` and `--token=abc`, and words that look like tokens. */
function withoutSecrets(args: readonly string[]): readonly string[] {
  return args.map((word, index) => {
    const [option = '', value] = word.split('=', 2);
    if (value !== undefined && soundsSecret(option)) return `${option}=`;
    const before = args[index - 1] ?? '';
    const isValue = before.startsWith('-') && !before.includes('=') && soundsSecret(before);
    return (isValue && !word.startsWith('-')) || looksLikeToken(word) ? '' : word;
  });
}

function softwareOf(target: StatedTarget): string {
  if (target.kind === 'url') {
    return isUrl(target.url) ? new URL(target.url).origin : target.url;
  }
  const [command, ...args] = target.argv;
  return JSON.stringify([command, args.find((word) => !word.startsWith('-')) ?? '']);
}
