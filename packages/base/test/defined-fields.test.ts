import { expect, it } from 'vitest';
import { definedFields } from '../src/index.ts';

it('definedFields leaves out undefined and keeps every other value', () => {
  const fields = { a: 1, b: undefined, c: null, d: false, e: '' };
  expect(Object.entries(definedFields(fields))).toEqual([
    ['a', 1],
    ['c', null],
    ['d', false],
    ['e', ''],
  ]);
});
