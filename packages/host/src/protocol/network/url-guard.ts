// Decides which URLs from a server may be fetched, by the addresses that the user configured, the homes. A server may
// refer to any public address, but to a private network or this machine only if a home is there, too. The owner of a
// public name decides where it resolves to, so a home with such a name opens no network. Pure; the caller resolves names.

import { isIP } from 'node:net';
import { isUrl } from '@plugboard/base';
import { classifyAddress } from './address-ranges.ts';
import type { FetchProblem } from './fetch-refused.ts';
import { isInnerHost, isLoopbackHost, isMetadataHost, isSameHost } from './host-names.ts';
import { bareHost } from './proxy-for.ts';

/** Where plain http is allowed: on this machine if a home is on it, or wherever https is allowed. */
export type PlainHttp = 'this-machine' | 'anywhere';

/** What is wrong with the URL as written. */
export function writtenProblem(
  url: URL,
  homes: readonly URL[],
  plain: PlainHttp = 'this-machine',
): FetchProblem | undefined {
  const { protocol, username, password } = url;
  const host = bareHost(url);
  const isHere = isLoopbackHost(host) && homes.some((home) => isLoopbackHost(bareHost(home)));
  const isPlain = protocol === 'http:' && (isHere || plain === 'anywhere');
  if (protocol !== 'https:' && !isPlain) return { kind: 'scheme', scheme: protocol };
  if (username !== '' || password !== '') return { kind: 'credentials' };
  return isMetadataHost(host) ? { kind: 'inner-name' } : undefined;
}

/** What is wrong with a URL whose host a proxy resolves, so that its addresses cannot be checked. */
export function unseenProblem(url: URL, homes: readonly URL[]): FetchProblem | undefined {
  const host = bareHost(url);
  const isKnown =
    isHome(url, homes) ||
    !isInnerHost(host) ||
    homes.some((home) => isInnerHost(bareHost(home)) && !isLoopbackHost(bareHost(home)));
  return isKnown ? undefined : { kind: 'inner-name' };
}

/** What is wrong with sending the user to the URL, whose name the browser resolves. */
function pageProblem(url: URL, homes: readonly URL[]): FetchProblem | undefined {
  const problem = writtenProblem(url, homes);
  if (problem !== undefined) return problem;
  const [address] = writtenAddresses([bareHost(url)]);
  if (address === undefined) return undefined;
  const around = writtenAddresses(vouchingHosts(homes));
  if (isOpenTo(address, url, { homes, around })) return undefined;
  return { kind: 'address', address, range: classifyAddress(address).range };
}

/** The addresses of the hosts that need not be resolved. */
function writtenAddresses(hosts: readonly string[]): readonly string[] {
  return hosts
    .map((host) => (isIP(host) === 0 && isLoopbackHost(host) ? '127.0.0.1' : host))
    .filter((host) => isIP(host) !== 0);
}

/** Whether the host is one of the homes, on any port. */
export function isHome(url: URL, homes: readonly URL[]): boolean {
  return homes.some((home) => isSameHost(bareHost(url), bareHost(home)));
}

/** The hosts whose addresses open the networks around them: those that cannot be registered publicly. */
export function vouchingHosts(homes: readonly URL[]): readonly string[] {
  return homes
    .map(bareHost)
    .filter((host) => isIP(host) !== 0 || isLoopbackHost(host) || isInnerHost(host));
}

export interface HomeAddresses {
  readonly homes: readonly URL[];
  /** The addresses of the vouching hosts. */
  readonly around: readonly string[];
  readonly plain?: PlainHttp | undefined;
}

/** Whether the URL may be fetched from this address, to which its host was resolved. */
export function isOpenTo(
  address: string,
  url: URL,
  { homes, around, plain = 'this-machine' }: HomeAddresses,
): boolean {
  const { range, neighbourhood } = classifyAddress(address);
  if (url.protocol === 'http:' && plain === 'this-machine') return range === 'loopback';
  if (range === 'public') return true;
  if (range === 'metadata' || range === 'unreadable') return false;
  if (isHome(url, homes)) return true;
  return (
    neighbourhood !== undefined &&
    around.some((each) => classifyAddress(each).neighbourhood === neighbourhood)
  );
}

/** Whether the user and secrets may be sent to the address, judged by how it is written. */
export function isSafeAddress(text: string, homes: readonly URL[]): boolean {
  return isUrl(text) && pageProblem(new URL(text), homes) === undefined;
}
