// All spellings of an IPv4 address in a URL.

import * as fc from 'fast-check';

type Bytes = readonly [number, number, number, number];

/** Any address in a block. */
export function inBlock(start: string, bits: number): fc.Arbitrary<Bytes> {
  const size = 2 ** (32 - bits);
  const first = numberOf(start.split('.').map(Number) as unknown as Bytes);
  return fc.nat({ max: size - 1 }).map((offset) => bytesOf(first + offset));
}

/** A spelling of the address as the host of a URL. */
export function spellings(bytes: Bytes): fc.Arbitrary<string> {
  return fc.oneof(numbers(bytes), numbers(bytes).map(fullWidth), inIpv6(bytes));
}

/** One to four parts, each in any base; the last part contains the remaining bytes. */
function numbers(bytes: Bytes): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.constantFrom(1, 2, 3, 4),
      fc.array(fc.constantFrom(decimal, octal, hexadecimal), { minLength: 4, maxLength: 4 }),
      fc.constantFrom('', '.'),
    )
    .map(([count, bases, end]) => {
      const whole = bytes.slice(0, count - 1);
      const rest = numberOf(bytes) % 2 ** (8 * (5 - count));
      const parts = [...whole, rest].map((part, index) => (bases[index] ?? decimal)(part));
      return parts.join('.') + end;
    });
}

function inIpv6(bytes: Bytes): fc.Arbitrary<string> {
  const [a, b, c, d] = bytes;
  const groups = [a * 256 + b, c * 256 + d].map((group) => group.toString(16));
  return fc.constantFrom(
    `[::ffff:${bytes.join('.')}]`,
    `[::FFFF:${groups.join(':')}]`,
    `[0:0:0:0:0:ffff:${groups.join(':')}]`,
    `[0000::0000:ffff:${bytes.join('.')}]`,
  );
}

const decimal = (part: number): string => String(part);
const octal = (part: number): string => `0${part.toString(8)}`;
const hexadecimal = (part: number): string => `0x${part.toString(16)}`;

/** Unicode digits and dots that `URL` normalises. */
function fullWidth(text: string): string {
  return text.replace(/[0-9]/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
}

function numberOf([a, b, c, d]: Bytes): number {
  return ((a * 256 + b) * 256 + c) * 256 + d;
}

function bytesOf(address: number): Bytes {
  return [24, 16, 8, 0].map((shift) => (address / 2 ** shift) & 0xff) as unknown as Bytes;
}
