import { describe, expect, it } from 'vitest';
import { parseAddress } from '../../src/given/http-address.ts';
import { UsageError } from '../../src/usage-error.ts';

describe('a typed address', () => {
  it.each([
    ['4343', '127.0.0.1', 4343],
    ['0', '127.0.0.1', 0],
    ['localhost', 'localhost', 4343],
    ['0.0.0.0:80', '0.0.0.0', 80],
    ['10.0.0.2', '10.0.0.2', 4343],
    ['[::1]:9', '::1', 9],
    ['[::]', '::', 4343],
    ['box.example.com:65535', 'box.example.com', 65_535],
  ])('is parsed: %s', (given, hostname, port) => {
    expect(parseAddress(given)).toEqual({ hostname, port });
  });

  it.each(['', ':80', 'a:b', '::1', '65536', 'http://localhost:80', 'a b', '127.0.0.1:'])(
    'is refused: "%s"',
    (given) => {
      expect(() => parseAddress(given)).toThrow(UsageError);
    },
  );
});
