import { describe, expect, it } from 'vitest';
import { cutPoint } from '../src/cut-point.ts';

describe('the point where a text is cut', () => {
  it.each([
    ['between letters', 'abc', 2, 2],
    ['before a pair', 'a😀b', 1, 1],
    ['inside a pair', 'a😀b', 2, 1],
    ['behind a pair', 'a😀b', 3, 3],
    ['at the beginning', '😀', 0, 0],
  ])('%s never splits a character', (_, text, at, point) => {
    expect(cutPoint(text, at)).toBe(point);
  });
});
