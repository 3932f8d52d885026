import { expect, it } from 'vitest';
import {
  count,
  counted,
  dayAndTime,
  duration,
  shortCount,
  size,
  timeOf,
} from '../../src/text/numbers.ts';

it('formats durations in a suitable unit', () => {
  expect(
    [0.25, 4.21, 12.6, 999, 1500, 12_345, 65_000, 7_260_000, 200_000_000].map(duration),
  ).toEqual([
    '0.25 ms',
    '4.2 ms',
    '13 ms',
    '999 ms',
    '1.50 s',
    '12.3 s',
    '1 min 5 s',
    '2 h 1 min',
    '2 days',
  ]);
});

it('formats counts and sizes', () => {
  expect([count(12_345), counted(1, 'tool'), counted(2, 'tool')]).toEqual([
    '12,345',
    '1 tool',
    '2 tools',
  ]);
  expect([999, 1234, 12_345, 1_234_567].map(shortCount)).toEqual(['999', '1.2k', '12k', '1.2M']);
  expect([12, 1234, 45_678, 1_234_567].map(size)).toEqual(['12 B', '1.2 kB', '46 kB', '1.2 MB']);
});

it('formats times of day', () => {
  expect(timeOf(1_700_000_000_123)).toMatch(/^\d\d:\d\d:\d\d\.123$/);
  expect(dayAndTime(1_700_000_000_123)).toContain('2023');
});
