// Where a URL connects to, and through which proxy. Pure.

import { isUrlScheme, type NetworkSettings, URL_SCHEMES } from '../../platform/index.ts';
import { isLoopbackHost } from './host-names.ts';

export function endpointOf(url: URL): {
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
} {
  const scheme = url.protocol.slice(0, -1);
  const { defaultPort, isSecure } = URL_SCHEMES[isUrlScheme(scheme) ? scheme : 'http'];
  const port = Number(url.port === '' ? defaultPort : url.port);
  return { host: bareHost(url), port, isSecure };
}

/** Throws `ERR_INVALID_URL` if the setting for the proxy is not an address. */
export function proxyFor(target: URL, settings: NetworkSettings): URL | undefined {
  const { host, port, isSecure } = endpointOf(target);
  const proxy = isSecure ? settings.proxies.https : settings.proxies.http;
  if (proxy === undefined) return undefined;
  // To a proxy, "this machine" is its own machine.
  if (isLoopbackHost(host) || settings.noProxy.some((entry) => covers(entry, host, `${port}`))) {
    return undefined;
  }
  return new URL(proxy.includes('://') ? proxy : `http://${proxy}`);
}

/** The host without the brackets of an IPv6 address. */
export function bareHost({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

/** `example.com` also covers its subdomains, as `.example.com` and `*.example.com` do. */
function covers(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  const named = hostAndPort(entry);
  if (named.port !== undefined && named.port !== port) return false;
  const plain = named.host.replace(/^\*?\./, '');
  return plain !== '' && (host === plain || host.endsWith(`.${plain}`));
}

function hostAndPort(entry: string): { readonly host: string; readonly port: string | undefined } {
  // The colons of an IPv6 address, which may lack brackets, do not start a port.
  if (/^[^[].*:.*:/.test(entry)) return { host: entry, port: undefined };
  const [, inBrackets, plain = '', port] = /^(?:\[(.*)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
  return { host: inBrackets ?? plain, port };
}
