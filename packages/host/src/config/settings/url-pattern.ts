// Splits the pattern of a rule about addresses into the same parts as an address. A `*` matches only within
// its part, so that one in the host never matches a port or a path. A path or a query that the pattern leaves
// out may be anything.

import { err, ok, type Result } from '@plugboard/base';
import { isUrlScheme, URL_SCHEMES, type UrlScheme } from '../../platform/index.ts';
import { canonicalUrl } from './canonical-url.ts';

export interface UrlPattern {
  readonly schemes: readonly UrlScheme[];
  /** May contain `*`. */
  readonly host: string;
  /** `*` for any. `undefined`: the default of the scheme. */
  readonly port: string | undefined;
  /** May contain `*`. `undefined`: any. */
  readonly path: string | undefined;
  /** May contain `*`. `undefined`: any. */
  readonly query: string | undefined;
}

/** The pattern, or its problem, which continues a sentence after the name of the field. */
export function parseUrlPattern(text: string): Result<UrlPattern, string> {
  if (/[\s\p{C}\\]/u.test(text)) return err('must not hold spaces, control characters or "\\"');
  const [, scheme, authority, path, query] = PIECES.exec(text) ?? [];
  if (scheme === undefined || authority === undefined || path === undefined) {
    return err('must look like https://example.com/*, without a "#"');
  }
  const schemes = schemesOf(scheme.toLowerCase());
  if (schemes.length === 0) return err(`must start with ${KNOWN_STARTS} or *://`);
  if (authority.includes('@')) return err('must not hold a user name or a password');
  const [, host = '', port] = AUTHORITY.exec(authority) ?? [];
  const knownHost = hostPattern(host);
  if (knownHost === undefined) return err('must have a host, such as example.com or *.example.com');
  if (port !== undefined && !isPort(port)) return err('must have a number from 1 to 65535 as port');
  if (DOT_SEGMENT.test(path)) return err('must not hold "." or ".." as a folder');
  return ok({
    schemes,
    host: knownHost,
    port: port === undefined || port === '*' ? port : String(Number(port)),
    path: pathPattern(path, query),
    query: query === undefined ? undefined : canonicalUrl(`https://host/?${query}`)?.query,
  });
}

const PIECES = /^([^:/?#]*):\/\/([^/?#]*)([^?#]*)(?:\?([^#]*))?$/;
const AUTHORITY = /^(\[[^\]]*\]|[^:[\]]*)(?::([^:]*))?$/;
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:\/|$)/i;

const SCHEMES = Object.keys(URL_SCHEMES).filter(isUrlScheme);
const KNOWN_STARTS = SCHEMES.map((scheme) => `${scheme}://`).join(', ');

function schemesOf(word: string): readonly UrlScheme[] {
  return SCHEMES.filter((scheme) => word === '*' || word === scheme);
}

function hostPattern(host: string): string | undefined {
  if (!host.includes('*')) return canonicalUrl(`https://${host}/`)?.host;
  // A host in another script would have to be converted to ASCII around the stars.
  return /^[a-z0-9._*-]+$/i.test(host) ? host.toLowerCase().replace(/\.+$/, '') : undefined;
}

function isPort(word: string): boolean {
  if (word === '*') return true;
  return /^\d{1,5}$/.test(word) && Number(word) >= 1 && Number(word) <= 65_535;
}

function pathPattern(path: string, query: string | undefined): string | undefined {
  if (path === '' && query === undefined) return undefined;
  return canonicalUrl(`https://host${path}`)?.path;
}
