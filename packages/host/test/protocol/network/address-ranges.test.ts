import { verifies } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AddressRange,
  classifyAddress,
} from '../../../src/protocol/network/address-ranges.ts';
import {
  isInnerHost,
  isLoopbackHost,
  isMetadataHost,
} from '../../../src/protocol/network/host-names.ts';
import { inBlock, spellings } from './spellings.ts';

const EDGES: Readonly<Record<AddressRange, readonly string[]>> = {
  public: [
    '1.0.0.0 1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255',
    '128.0.0.0 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.167.255.255',
    '192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255 168.63.129.15 168.63.129.17',
    '2001:200:: 2001:4860:4860::8888 2606:4700:4700::1111 2a00:1450:4001::1 3ffe:ffff::1',
    '::ffff:8.8.8.8 ::ffff:808:808 64:ff9b::8.8.8.8 2003::1',
  ],
  loopback: ['127.0.0.0 127.0.0.1 127.1.2.3 127.255.255.255 ::1 0:0:0:0:0:0:0:1 ::ffff:127.0.0.1'],
  private: [
    '10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 172.16.0.0 172.31.255.255 192.168.0.0',
    '192.168.255.255 198.18.0.0 198.19.255.255 fc00:: fd00::1 fdff:ffff::1 ::ffff:10.0.0.1',
    '::ffff:c0a8:101 100.100.100.199 fd00:ec2::253',
  ],
  'link-local': [
    '169.254.0.0 169.254.255.255 fe80:: fe80::1%eth0 febf::1 ::ffff:169.254.1.1 169.254.169.253',
  ],
  metadata: [
    '169.254.169.254 169.254.170.2 169.254.170.23 100.100.100.200 192.0.0.192 168.63.129.16',
    'fd00:ec2::254 fd00:ec2::23 fd20:ce::254 ::ffff:169.254.169.254 ::ffff:a9fe:a9fe',
    'fd00:0ec2:0:0:0:0:0:0254 fd00:ec2::254%lo',
  ],
  multicast: ['224.0.0.0 239.255.255.255 ff00:: ff02::1 ffff::1 ::ffff:224.0.0.1'],
  reserved: [
    '0.0.0.0 0.0.0.1 0.255.255.255 192.0.0.0 192.0.0.255 192.0.2.1 192.88.99.1 198.51.100.1',
    '203.0.113.1 240.0.0.0 255.255.255.254 255.255.255.255 ::ffff:0.0.0.0 ::ffff:255.255.255.255',
    // IPv4-compatible, other translations, 6to4, Teredo, discard-only, documentation, site-local.
    ':: ::127.0.0.1 ::8.8.8.8 ::ffff:0:127.0.0.1 64:ff9b::127.0.0.1 64:ff9b::10.0.0.1',
    '64:ff9b::169.254.169.254 64:ff9b:1::8.8.8.8 2002:7f00:1:: 2002:808:808::1 100::1 fec0::1',
    '2001::1 2001:0:4136:e378:8000:63bf:80ff:fffe 2001:1ff::1 2001:db8::1 3fff::1 4000::1 5f00::1',
    'fbff::1',
  ],
  unreadable: [
    'localhost 127.1 0177.0.0.1 0x7f.0.0.1 2130706433 127.0.0.01 127.0.0.1. 256.1.1.1 1.2.3',
    '[::1] ::1::1 :::1 12345::1 g::1 127.0.0.1:80 1.2.3.4/8',
  ],
};

describe('the range of an address', () => {
  verifies('AUT-11');

  const rows = Object.entries(EDGES).flatMap(([range, lines]) =>
    lines.flatMap((line) => line.split(' ')).map((address) => [address, range] as const),
  );

  it.each(rows)('%s: %s', (address, range) => {
    expect(classifyAddress(address).range).toBe(range);
  });

  it('is unreadable for an empty text', () => {
    expect(classifyAddress('')).toEqual({ range: 'unreadable' });
    expect(classifyAddress('%eth0')).toEqual({ range: 'unreadable' });
  });

  it('is the same for every spelling in a URL, and never public', () => {
    const inner = fc.oneof(
      inBlock('127.0.0.0', 8).map((bytes) => ({ bytes, range: 'loopback' })),
      ...[
        ['10.0.0.0', 8],
        ['172.16.0.0', 12],
        ['192.168.0.0', 16],
      ].map(([start, bits]) =>
        inBlock(String(start), Number(bits)).map((bytes) => ({ bytes, range: 'private' })),
      ),
    );
    const spelled = inner.chain(({ bytes, range }) =>
      spellings(bytes).map((spelling) => ({ spelling, range })),
    );
    fc.assert(
      fc.property(spelled, ({ spelling, range }) => {
        const { hostname } = new URL(`https://${spelling}/`);
        expect(classifyAddress(hostname.replace(/^\[|\]$/g, '')).range).toBe(range);
      }),
    );
  });

  it('is defined for every address', () => {
    const known = new Set(Object.keys(EDGES));
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
        const { range } = classifyAddress(address);
        expect(known.has(range) && range !== 'unreadable').toBe(true);
      }),
    );
  });
});

describe('the neighbourhood of addresses', () => {
  it.each([
    ['127.0.0.1', '127.9.9.9', true],
    ['127.0.0.1', '::1', true],
    ['10.0.0.1', '10.255.0.1', true],
    ['10.0.0.1', '::ffff:10.2.3.4', true],
    ['10.0.0.1', '192.168.0.1', false],
    ['10.0.0.1', '172.16.0.1', false],
    ['172.16.0.1', '172.31.0.1', true],
    ['fd12:3456:789a::1', 'fd12:3456:789a:ffff::1', true],
    ['fd12:3456:789a::1', 'fd12:3456:789b::1', false],
    ['169.254.1.1', '169.254.1.1', true],
    ['169.254.1.1', '169.254.1.2', false],
    ['fe80::1', 'fe80::2', false],
    ['10.0.0.1', '127.0.0.1', false],
  ])('is shared by %s and %s: %s', (one, other, areNeighbours) => {
    verifies('AUT-11');
    const [first, second] = [
      classifyAddress(one).neighbourhood,
      classifyAddress(other).neighbourhood,
    ];
    expect(first).toBeDefined();
    expect(first === second).toBe(areNeighbours);
  });

  it.each(['8.8.8.8', '169.254.169.254', '224.0.0.1', '0.0.0.0', '2001:db8::1', 'nowhere'])(
    'is undefined for %s',
    (address) => {
      expect(classifyAddress(address).neighbourhood).toBeUndefined();
    },
  );
});

describe('the kind of a host name', () => {
  it.each([
    ['localhost', 'loopback inner'],
    ['localhost.', 'loopback inner'],
    ['a.localhost', 'loopback inner'],
    ['127.0.0.1', 'loopback'],
    ['::1', 'loopback'],
    ['::ffff:7f00:1', 'loopback'],
    ['localhost.example.com', ''],
    ['notlocalhost', 'inner'],
    ['nas', 'inner'],
    ['wiki.corp', 'inner'],
    ['printer.local.', 'inner'],
    ['mcp.home.arpa', 'inner'],
    ['local.example', ''],
    ['example.com', ''],
    ['10.0.0.1', ''],
    ['metadata.google.internal', 'inner metadata'],
    ['metadata.google.internal.', 'inner metadata'],
    ['instance-data', 'inner metadata'],
    ['metadata.example.com', ''],
  ])('of %s is: %s', (host, words) => {
    const said = [
      isLoopbackHost(host) && 'loopback',
      isInnerHost(host) && 'inner',
      isMetadataHost(host) && 'metadata',
    ];
    expect(said.filter((word) => word !== false).join(' ')).toBe(words);
  });
});
