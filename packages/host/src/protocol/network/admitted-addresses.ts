// Resolves the host of a URL that a server supplied, and returns the addresses from which it may be fetched. The caller
// must connect to one of these and not resolve the host again, since the next answer could differ.

import { isIP } from 'node:net';
import type { NetworkSettings } from '../../platform/index.ts';
import { classifyAddress } from './address-ranges.ts';
import { FetchRefused } from './fetch-refused.ts';
import { isLoopbackHost } from './host-names.ts';
import { networkCodeOf } from './network-code.ts';
import { bareHost, proxyFor } from './proxy-for.ts';
import { plainUrl } from './shown-url.ts';
import {
  isOpenTo,
  type PlainHttp,
  unseenProblem,
  vouchingHosts,
  writtenProblem,
} from './url-guard.ts';

export interface AdmissionPorts {
  readonly network: NetworkSettings | undefined;
  /** The addresses that the user configured. */
  readonly homes: readonly URL[];
  readonly plain?: PlainHttp | undefined;
  /** Resolves a host to its addresses; rejects if there are none. */
  readonly resolve: (host: string) => Promise<readonly string[]>;
}

/** Returns no addresses if a proxy resolves the host. Rejects with `FetchRefused`. */
export async function admittedAddresses(
  url: URL,
  ports: AdmissionPorts,
): Promise<readonly string[]> {
  const { homes, plain } = ports;
  const problem = writtenProblem(url, homes, plain);
  if (problem !== undefined) throw new FetchRefused(plainUrl(url), problem);
  const host = bareHost(url);
  if (isIP(host) === 0 && isProxied(url, ports)) {
    const unseen = unseenProblem(url, homes);
    if (unseen !== undefined) throw new FetchRefused(plainUrl(url), unseen);
    return [];
  }
  const found = await addressesOf(url, ports);
  const isPublic = found.every((address) => classifyAddress(address).range === 'public');
  const around = isPublic ? [] : await addressesAround(ports);
  const open = found.filter((address) => isOpenTo(address, url, { homes, around, plain }));
  if (open.length > 0) return open;
  const [address = ''] = found;
  const { range } = classifyAddress(address);
  throw new FetchRefused(plainUrl(url), { kind: 'address', address, range });
}

/** Uses the resolver of the system, as a connection to the name would. */
export async function lookUp(host: string): Promise<readonly string[]> {
  const { lookup } = await import('node:dns/promises');
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}

function isProxied(url: URL, { network }: AdmissionPorts): boolean {
  if (network === undefined) return false;
  try {
    return proxyFor(url, network) !== undefined;
  } catch (thrown) {
    throw unreachable(url, networkCodeOf(thrown));
  }
}

async function addressesOf(url: URL, { resolve }: AdmissionPorts): Promise<readonly string[]> {
  const host = bareHost(url);
  if (isIP(host) !== 0) return [host];
  let found: readonly string[];
  try {
    found = await resolve(host);
  } catch (thrown) {
    throw unreachable(url, networkCodeOf(thrown));
  }
  if (found.length === 0) throw unreachable(url, 'ENOTFOUND');
  return found;
}

/** The addresses of those homes that open the networks around them. */
async function addressesAround({ homes, resolve }: AdmissionPorts): Promise<readonly string[]> {
  const found = await Promise.all(
    vouchingHosts(homes).map(async (host) => {
      if (isIP(host) !== 0) return [host];
      if (isLoopbackHost(host)) return ['127.0.0.1'];
      // A home that cannot be resolved opens no network.
      return resolve(host).catch(() => []);
    }),
  );
  return found.flat();
}

function unreachable(url: URL, code: string): FetchRefused {
  return new FetchRefused(plainUrl(url), { kind: 'unreachable', code });
}
