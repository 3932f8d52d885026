import { readFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import { GRAMMARS } from '../../src/chunk/languages/grammars.ts';

const read = (path: string) =>
  readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');

describe('languages with a grammar', () => {
  const names = Object.keys(GRAMMARS);

  it('are those that the page about the server lists', ({ expect }) => {
    const [, count, list = ''] =
      /These (\d+) languages have a grammar: ([^.]+)\./u.exec(read('docs/codebase.md')) ?? [];
    const listed = [...list.matchAll(/`([a-z]+)`/gu)].map(([, name]) => name);
    expect(listed).toEqual(names.toSorted());
    expect(Number(count)).toBe(names.length);
  });

  it('are as many as the README of the package says', ({ expect }) => {
    expect(read('packages/codebase/README.md')).toContain(
      `the syntax of ${names.length} languages`,
    );
  });
});
