// Classifies an IP address: public, this machine, a private network, or never to be reached. Addresses that
// embed another address are judged by the embedded one. Does not resolve names; what may be fetched is decided
// in url-guard.ts. Pure.

import { isIP } from 'node:net';

export type AddressRange =
  | 'public'
  | 'loopback'
  | 'private'
  | 'link-local'
  /** The metadata service of a cloud, which holds the machine's credentials. */
  | 'metadata'
  | 'multicast'
  | 'reserved'
  /** Not an address. */
  | 'unreadable';

export interface Place {
  readonly range: AddressRange;
  /** Equal for addresses of one network. Absent if being in the same network grants nothing. */
  readonly neighbourhood?: string;
}

/** Accepts what `URL` and the system's resolver write, including a zone id. */
export function classifyAddress(address: string): Place {
  const bytes = bytesOf(address);
  if (bytes === undefined) return { range: 'unreadable' };
  if (bytes.length === 4) return placeIn(IPV4, bytes, 'public');
  if (isWithin(bytes, MAPPED)) return placeIn(IPV4, bytes.slice(12), 'public');
  // Made by the NAT64 translator of a network without IPv4, where every public address looks like this.
  if (isWithin(bytes, TRANSLATED)) {
    const { range } = placeIn(IPV4, bytes.slice(12), 'public');
    return { range: range === 'public' ? 'public' : 'reserved' };
  }
  return placeIn(IPV6, bytes, 'reserved');
}

interface Block {
  readonly start: readonly number[];
  readonly bits: number;
}

interface Row extends Block {
  readonly range: AddressRange;
  /** How many leading bits neighbours have in common. */
  readonly nearBits?: number;
}

function placeIn(rows: readonly Row[], bytes: readonly number[], otherwise: AddressRange): Place {
  const found = rows.find((candidate) => isWithin(bytes, candidate));
  if (found === undefined) return { range: otherwise };
  const { range, nearBits } = found;
  // 127.0.0.1 and ::1 are the same machine.
  if (range === 'loopback') return { range, neighbourhood: 'loopback' };
  if (nearBits === undefined) return { range };
  return { range, neighbourhood: `${leading(bytes, nearBits).join('.')}/${nearBits}` };
}

function isWithin(bytes: readonly number[], { start, bits }: Block): boolean {
  const wanted = leading(start, bits);
  return leading(bytes, bits).every((byte, index) => byte === wanted[index]);
}

/** The bytes that hold the first `bits`, with the remaining bits of the last one cleared. */
function leading(bytes: readonly number[], bits: number): readonly number[] {
  return bytes.slice(0, Math.ceil(bits / 8)).map((byte, index) => {
    const used = Math.min(8, bits - index * 8);
    return byte & (0xff << (8 - used));
  });
}

function bytesOf(address: string): readonly number[] | undefined {
  const plain = address.replace(/%.*$/s, '');
  const version = isIP(plain);
  if (version === 0) return undefined;
  return version === 4 ? plain.split('.').map(Number) : bytesOfIpv6(plain);
}

function bytesOfIpv6(address: string): readonly number[] {
  // `URL` writes all sixteen bytes as hexadecimal groups; only a run of zeros is left out.
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const before = groupsOf(head);
  const after = groupsOf(tail);
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0);
  return [...before, ...zeros, ...after].flatMap((group) => [group >> 8, group & 0xff]);
}

function groupsOf(text: string): readonly number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}

function block(cidr: string): Block {
  const [address = '', bits = ''] = cidr.split('/');
  return { start: bytesOf(address) ?? [], bits: Number(bits) };
}

function row(range: AddressRange, cidr: string): Row {
  const { start, bits } = block(cidr);
  if (range === 'link-local') return { range, start, bits, nearBits: start.length * 8 };
  if (range !== 'private') return { range, start, bits };
  // Sites with unique local addresses each take a /48 from the one block for all of them.
  return { range, start, bits, nearBits: start.length === 4 ? bits : 48 };
}

const MAPPED = block('::ffff:0:0/96');
/** https://www.rfc-editor.org/rfc/rfc6052 */
const TRANSLATED = block('64:ff9b::/96');

/** https://www.iana.org/assignments/iana-ipv4-special-registry. The first matching row counts. */
const IPV4: readonly Row[] = [
  row('metadata', '169.254.169.254/32'),
  row('metadata', '169.254.170.2/32'),
  row('metadata', '169.254.170.23/32'),
  row('metadata', '100.100.100.200/32'),
  row('metadata', '192.0.0.192/32'),
  row('metadata', '168.63.129.16/32'),
  row('reserved', '0.0.0.0/8'),
  row('private', '10.0.0.0/8'),
  row('private', '100.64.0.0/10'),
  row('loopback', '127.0.0.0/8'),
  row('link-local', '169.254.0.0/16'),
  row('private', '172.16.0.0/12'),
  row('reserved', '192.0.0.0/24'),
  row('reserved', '192.0.2.0/24'),
  row('reserved', '192.88.99.0/24'),
  row('private', '192.168.0.0/16'),
  // For benchmarks; some VPNs resolve every name to these addresses.
  row('private', '198.18.0.0/15'),
  row('reserved', '198.51.100.0/24'),
  row('reserved', '203.0.113.0/24'),
  row('multicast', '224.0.0.0/4'),
  row('reserved', '240.0.0.0/4'),
];

/** https://www.iana.org/assignments/iana-ipv6-special-registry. Addresses in no row are reserved. */
const IPV6: readonly Row[] = [
  row('loopback', '::1/128'),
  row('metadata', 'fd00:ec2::254/128'),
  row('metadata', 'fd00:ec2::23/128'),
  row('metadata', 'fd20:ce::254/128'),
  row('private', 'fc00::/7'),
  row('link-local', 'fe80::/10'),
  row('multicast', 'ff00::/8'),
  // Teredo is in the first; it and 6to4 (2002::) embed IPv4 addresses, and no servers run there.
  row('reserved', '2001::/23'),
  row('reserved', '2001:db8::/32'),
  row('reserved', '2002::/16'),
  row('reserved', '3fff::/20'),
  row('public', '2000::/3'),
];
