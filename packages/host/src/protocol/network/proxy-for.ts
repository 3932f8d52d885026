// Which proxy an address is to be reached through, if any. Pure.

import type { NetworkSettings } from '../../platform/index.ts';
import { isLoopbackHost } from './host-names.ts';

/** Throws `ERR_INVALID_URL` where what is set as a proxy is no address. */
export function proxyFor(target: URL, settings: NetworkSettings): URL | undefined {
  const isSecure = target.protocol === 'https:' || target.protocol === 'wss:';
  const proxy = isSecure ? settings.proxies.https : settings.proxies.http;
  if (proxy === undefined) return undefined;
  const host = bareHost(target);
  const port = target.port === '' ? (isSecure ? '443' : '80') : target.port;
  // A proxy would take "this machine" for its own.
  if (isLoopbackHost(host) || settings.noProxy.some((entry) => covers(entry, host, port))) {
    return undefined;
  }
  return new URL(proxy.includes('://') ? proxy : `http://${proxy}`);
}

/** The host without the brackets that an address of IPv6 wears in a url. */
export function bareHost({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

/** `example.com` covers its subdomains too, as `.example.com` and `*.example.com` do. */
function covers(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  const named = hostAndPort(entry);
  if (named.port !== undefined && named.port !== port) return false;
  const plain = named.host.replace(/^\*?\./, '');
  return plain !== '' && (host === plain || host.endsWith(`.${plain}`));
}

function hostAndPort(entry: string): { readonly host: string; readonly port: string | undefined } {
  // An address of IPv6 holds colons that start no port, and may or may not wear brackets.
  if (/^[^[].*:.*:/.test(entry)) return { host: entry, port: undefined };
  const [, inBrackets, plain = '', port] = /^(?:\[(.*)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
  return { host: inBrackets ?? plain, port };
}
