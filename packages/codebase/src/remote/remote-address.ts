// Parses the address of a remote repository, and checks that the user allows its host. An address has a known scheme, a
// host and a path; anything that git or ssh could take for an option is refused, and so are credentials. Pure.

import { err, isUrl, ok, type Result } from '@plugboard/base';

export interface RemoteAddress {
  readonly scheme: 'https' | 'http' | 'ssh' | 'file';
  /** The address that git receives. */
  readonly url: string;
  /** Derived from the name of the repository. */
  readonly name: string;
}

const SCP = /^([^\s/\\:@]+)@([^\s/\\:@]+):(?!\/\/)(.+)$/s;

/** Whether a root is an address; otherwise it is a folder. */
export function isRemote(root: string): boolean {
  return /^[A-Za-z][A-Za-z0-9+.-]*:(?::|\/\/)/.test(root) || SCP.test(root);
}

const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/i;
const USER = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;
const PATH = /^[^\p{Cc}\s?#\\]+$/u;
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);
const LONGEST = 2000;
const FORMS = 'https://HOST/PATH, ssh://HOST/PATH, USER@HOST:PATH or file:///PATH';

/** The address, or a sentence if it is invalid or not allowed. `allowed` lists hosts, and `file:` for this machine. */
export function readRemote(
  text: string,
  allowed: readonly string[],
): Result<RemoteAddress, string> {
  const parsed = parseAddress(text);
  if (!parsed.ok) return parsed;
  const { host, ...address } = parsed.value;
  const isAllowed = allowed.some((one) => one.toLowerCase() === host.toLowerCase());
  if (isAllowed) return ok(address);
  return err(
    `${address.url} is not fetched, since ${host} is not allowed; to allow it: --allow-remote ${host}, or "codebase": { "remotes": ["${host}"] } in your own settings`,
  );
}

type HostedAddress = RemoteAddress & { readonly host: string };

function parseAddress(text: string): Result<HostedAddress, string> {
  if (text.length > LONGEST) return err('the address of a repository is too long');
  const [, user = '', machine = '', rest = ''] = SCP.exec(text) ?? [];
  const url = parseUrl(machine === '' ? text : `ssh://${user}@${machine}/${rest}`);
  if (url === undefined) return err(`the address of a repository is like ${FORMS}`);
  if (url.password !== '' || (url.username !== '' && url.protocol !== 'ssh:')) {
    return err(
      'the address of a repository must not contain a name or a password; use ssh instead',
    );
  }
  const scheme = url.protocol.slice(0, -1);
  const isValid =
    (scheme === 'file' ? url.host === '' : HOST.test(url.hostname)) &&
    (url.username === '' || USER.test(url.username)) &&
    PATH.test(decoded(url.pathname)) &&
    !/^\/+-/.test(decoded(url.pathname)) &&
    url.search === '' &&
    url.hash === '';
  if (!isValid) return err(`the address of a repository is like ${FORMS}`);
  if (scheme === 'http' && !LOOPBACK.has(url.hostname)) {
    return err(`${url.host}: http is not encrypted; use https`);
  }
  if (!isScheme(scheme))
    return err(`${scheme}: is not used; the address of a repository is like ${FORMS}`);
  const host = scheme === 'file' ? 'file:' : url.host;
  return ok({ scheme, url: machine === '' ? url.href : text, name: nameOf(url.pathname), host });
}

function isScheme(scheme: string): scheme is RemoteAddress['scheme'] {
  return scheme === 'https' || scheme === 'http' || scheme === 'ssh' || scheme === 'file';
}

function parseUrl(text: string): URL | undefined {
  return isUrl(text) ? new URL(text) : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

function nameOf(path: string): string {
  const last =
    decoded(path)
      .split('/')
      .findLast((part) => part !== '') ?? '';
  const plain = last.replace(/\.git$/, '').replaceAll(/[^\p{L}\p{N}_.+@-]+/gu, '-');
  return plain.replace(/^[^\p{L}\p{N}_]+/u, '').slice(0, 40) || 'repository';
}
