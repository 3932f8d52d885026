// Classifies IP addresses: public, this machine, a private network, or forbidden. An address that embeds another one is
// classified by the embedded one. Resolves no names; url-guard.ts decides what may be fetched. Pure.

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

export interface AddressPlace {
  readonly range: AddressRange;
  /** Equal for addresses of one network. Absent if the network does not matter. */
  readonly neighbourhood?: string;
}

/** Accepts what `URL` and the system's resolver write, including a zone id. */
export function classifyAddress(address: string): AddressPlace {
  const bytes = bytesOf(address);
  if (bytes === undefined) return { range: 'unreadable' };
  tables ??= readTables();
  const { ipv4, ipv6, mapped, translated } = tables;
  if (bytes.length === 4) return placeIn(ipv4, bytes, 'public');
  if (isWithin(bytes, mapped)) return placeIn(ipv4, bytes.slice(12), 'public');
  // NAT64, by which a network without IPv4 represents every public address.
  if (isWithin(bytes, translated)) {
    const { range } = placeIn(ipv4, bytes.slice(12), 'public');
    return { range: range === 'public' ? 'public' : 'reserved' };
  }
  return placeIn(ipv6, bytes, 'reserved');
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

type ListedRange = readonly [AddressRange, string];

interface Tables {
  readonly ipv4: readonly Row[];
  readonly ipv6: readonly Row[];
  readonly mapped: Block;
  readonly translated: Block;
}

/** Built for the first address: most runs classify none. */
let tables: Tables | undefined;

function readTables(): Tables {
  return {
    ipv4: IPV4.map(row),
    ipv6: IPV6.map(row),
    mapped: block(MAPPED),
    translated: block(TRANSLATED),
  };
}

function placeIn(
  rows: readonly Row[],
  bytes: readonly number[],
  otherwise: AddressRange,
): AddressPlace {
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

function row([range, cidr]: ListedRange): Row {
  const { start, bits } = block(cidr);
  if (range === 'link-local') return { range, start, bits, nearBits: start.length * 8 };
  if (range !== 'private') return { range, start, bits };
  // Sites with unique local addresses each take a /48 from the one block for all of them.
  return { range, start, bits, nearBits: start.length === 4 ? bits : 48 };
}

const MAPPED = '::ffff:0:0/96';
/** https://www.rfc-editor.org/rfc/rfc6052 */
const TRANSLATED = '64:ff9b::/96';

/** https://www.iana.org/assignments/iana-ipv4-special-registry. The first matching row counts. */
const IPV4: readonly ListedRange[] = [
  ['metadata', '169.254.169.254/32'],
  ['metadata', '169.254.170.2/32'],
  ['metadata', '169.254.170.23/32'],
  ['metadata', '100.100.100.200/32'],
  ['metadata', '192.0.0.192/32'],
  ['metadata', '168.63.129.16/32'],
  ['reserved', '0.0.0.0/8'],
  ['private', '10.0.0.0/8'],
  ['private', '100.64.0.0/10'],
  ['loopback', '127.0.0.0/8'],
  ['link-local', '169.254.0.0/16'],
  ['private', '172.16.0.0/12'],
  ['reserved', '192.0.0.0/24'],
  ['reserved', '192.0.2.0/24'],
  ['reserved', '192.88.99.0/24'],
  ['private', '192.168.0.0/16'],
  // For benchmarks; some VPNs resolve every name to these addresses.
  ['private', '198.18.0.0/15'],
  ['reserved', '198.51.100.0/24'],
  ['reserved', '203.0.113.0/24'],
  ['multicast', '224.0.0.0/4'],
  ['reserved', '240.0.0.0/4'],
];

/** https://www.iana.org/assignments/iana-ipv6-special-registry. Addresses in no row are reserved. */
const IPV6: readonly ListedRange[] = [
  ['loopback', '::1/128'],
  ['metadata', 'fd00:ec2::254/128'],
  ['metadata', 'fd00:ec2::23/128'],
  ['metadata', 'fd20:ce::254/128'],
  ['private', 'fc00::/7'],
  ['link-local', 'fe80::/10'],
  ['multicast', 'ff00::/8'],
  // Teredo is in the first; it and 6to4 (2002::) embed IPv4 addresses, and no servers run there.
  ['reserved', '2001::/23'],
  ['reserved', '2001:db8::/32'],
  ['reserved', '2002::/16'],
  ['reserved', '3fff::/20'],
  ['public', '2000::/3'],
];
