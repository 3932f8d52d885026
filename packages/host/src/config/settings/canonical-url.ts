// Splits the address of a server into canonical parts, so that addresses can be compared part by part. Only
// for comparing: connections use the address as written.

import { isUrl } from '@plugboard/base';
import { isUrlScheme, URL_SCHEMES, type UrlScheme } from '../../platform/index.ts';

export interface CanonicalUrl {
  readonly scheme: UrlScheme;
  /** In lower case, without a dot at the end; an IP address in its shortest form. */
  readonly host: string;
  /** Never empty: the default of the scheme if none is written. */
  readonly port: string;
  /** Begins with a slash, and has no `.` or `..` between slashes. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
}

/** `undefined` for an invalid address. The user name, the password and the fragment are left out. */
export function canonicalUrl(text: string): CanonicalUrl | undefined {
  if (!isUrl(text)) return undefined;
  const { protocol, hostname, port, pathname, search } = new URL(text);
  const scheme = protocol.slice(0, -1);
  const host = canonicalHost(hostname);
  if (!isUrlScheme(scheme) || !HOST.test(host)) return undefined;
  return {
    scheme,
    host,
    port: port === '' ? URL_SCHEMES[scheme].defaultPort : port,
    path: canonicalEscapes(pathname),
    query: canonicalEscapes(search.slice(1)),
  };
}

/** Stricter than the URL parser, which accepts a host such as `${HOST}`. */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:]+\])$/;

/** Unifies different hosts of the URL parser that mean the same machine. */
function canonicalHost(hostname: string): string {
  const [, high, low] = MAPPED_ADDRESS.exec(hostname) ?? [];
  if (high === undefined || low === undefined) return hostname.replace(/\.+$/, '');
  const bytes = [high, low].flatMap((pair) => {
    const number = Number.parseInt(pair, 16);
    return [number >> 8, number & 255];
  });
  return bytes.join('.');
}

/** An IPv4 address inside an IPv6 one, as the URL parser writes it. */
const MAPPED_ADDRESS = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/;

/** https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2: `%7e` is `~`, `%2f` is `%2F`, `|` is `%7C`. */
function canonicalEscapes(text: string): string {
  return text.replaceAll(/%[0-9a-f]{2}|[^\w.~!$&'()*+,;=:@/?[\]-]/gi, (found) => {
    const isEscape = found.length === 3;
    const code = isEscape ? Number.parseInt(found.slice(1), 16) : found.charCodeAt(0);
    const character = String.fromCharCode(code);
    if (isEscape && /[\w.~-]/.test(character)) return character;
    return `%${code.toString(16).toUpperCase().padStart(2, '0')}`;
  });
}
