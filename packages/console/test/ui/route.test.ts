import { expect, it } from 'vitest';
import { addressOf, parseRoute } from '../../src/ui/route.ts';

it('reads a route back from the address that was made of it', () => {
  const parts = ['servers', 'a/b c', '日本 %'];
  expect(parseRoute(addressOf(...parts))).toEqual({ view: 'servers', path: ['a/b c', '日本 %'] });
});

it.each([
  ['', { view: '', path: [] }],
  ['#/', { view: '', path: [] }],
  ['#/servers/', { view: 'servers', path: [] }],
  ['#/servers/100%', { view: 'servers', path: ['100%'] }],
])('reads an address that was typed: %s', (fragment, route) => {
  expect(parseRoute(fragment)).toEqual(route);
});
