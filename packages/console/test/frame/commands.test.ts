import { expect, it } from 'vitest';
import { searchCommands } from '../../src/frame/commands.ts';

const titles = ['Servers', 'Traffic', 'Restart everything', 'everything'];
const commands = titles.map((title) => ({ title, kind: 'view' }));
const search = (query: string): readonly string[] =>
  searchCommands(commands, query).map(({ title }) => title);

it('offers all commands before anything is typed', () => {
  expect(search('')).toEqual(titles);
});

it('finds commands by a few letters, those that begin with them first', () => {
  expect(search('every')).toEqual(['everything', 'Restart everything']);
  expect(search('re ev')).toEqual(['Restart everything']);
  expect(search('zz')).toEqual([]);
});
