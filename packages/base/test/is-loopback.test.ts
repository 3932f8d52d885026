import { expect, it } from 'vitest';
import { isLoopback } from '../src/index.ts';

it.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.8.9.10', '::1', '[::1]'])(
  'takes %s for this machine',
  (host) => expect(isLoopback(host)).toBe(true),
);

it.each([
  '',
  '127.0.0.1.example',
  '127.evil.example',
  'localhost.evil.example',
  '::',
  '::2',
  '0.0.0.0',
  '10.0.0.1',
  '127.1',
  '[::1',
])('does not take %j for this machine', (host) => expect(isLoopback(host)).toBe(false));
