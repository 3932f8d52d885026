// Which urls of a server may be fetched, judged by the addresses that a person configured, the homes. A
// server may lead anywhere on the internet, and into an inner network or to this machine only if it is
// there itself. Whoever runs a public name decides where it leads, so a home of such a name vouches for
// itself and for nobody else. Pure; names are looked up by the caller.

import { isIP } from 'node:net';
import { placeOf } from './address-ranges.ts';
import type { FetchProblem } from './fetch-refused.ts';
import { isInnerHost, isLoopbackHost, isMetadataHost, isSameHost } from './host-names.ts';
import { bareHost } from './proxy-for.ts';

/** What is wrong with the url as it stands. */
export function writtenProblem(url: URL, homes: readonly URL[]): FetchProblem | undefined {
  const { protocol, username, password } = url;
  const host = bareHost(url);
  const isPlain =
    protocol === 'http:' &&
    isLoopbackHost(host) &&
    homes.some((home) => isLoopbackHost(bareHost(home)));
  if (protocol !== 'https:' && !isPlain) return { kind: 'scheme', scheme: protocol };
  if (username !== '' || password !== '') return { kind: 'credentials' };
  return isMetadataHost(host) ? { kind: 'inner-name' } : undefined;
}

/** What is wrong with having a proxy look up the host, which happens where we cannot see it. */
export function unseenProblem(url: URL, homes: readonly URL[]): FetchProblem | undefined {
  const host = bareHost(url);
  const isKnown =
    isHome(url, homes) ||
    !isInnerHost(host) ||
    homes.some((home) => isInnerHost(bareHost(home)) && !isLoopbackHost(bareHost(home)));
  return isKnown ? undefined : { kind: 'inner-name' };
}

/** What is wrong with sending a person there. Where a name leads is for their browser to find out. */
export function pageProblem(url: URL, homes: readonly URL[]): FetchProblem | undefined {
  const problem = writtenProblem(url, homes);
  if (problem !== undefined) return problem;
  const [address] = writtenAddresses([bareHost(url)]);
  if (address === undefined) return undefined;
  const around = writtenAddresses(vouchingHosts(homes));
  if (isOpenTo(address, url, { homes, around })) return undefined;
  return { kind: 'address', address, range: placeOf(address).range };
}

/** Of those hosts of which nobody needs to be asked where they are. */
function writtenAddresses(hosts: readonly string[]): readonly string[] {
  return hosts
    .map((host) => (isIP(host) === 0 && isLoopbackHost(host) ? '127.0.0.1' : host))
    .filter((host) => isIP(host) !== 0);
}

/** One of the homes, on whatever port. */
export function isHome(url: URL, homes: readonly URL[]): boolean {
  return homes.some((home) => isSameHost(bareHost(url), bareHost(home)));
}

/** The hosts whose addresses open the networks around them: those that no stranger can name. */
export function vouchingHosts(homes: readonly URL[]): readonly string[] {
  return homes
    .map(bareHost)
    .filter((host) => isIP(host) !== 0 || isLoopbackHost(host) || isInnerHost(host));
}

export interface Surroundings {
  readonly homes: readonly URL[];
  /** The addresses of the vouching hosts. */
  readonly around: readonly string[];
}

/** Whether the url may be fetched from this address, which its host was found to have. */
export function isOpenTo(address: string, url: URL, { homes, around }: Surroundings): boolean {
  const { range, neighbourhood } = placeOf(address);
  if (url.protocol === 'http:') return range === 'loopback';
  if (range === 'public') return true;
  if (range === 'metadata' || range === 'unreadable') return false;
  if (isHome(url, homes)) return true;
  return (
    neighbourhood !== undefined &&
    around.some((each) => placeOf(each).neighbourhood === neighbourhood)
  );
}
