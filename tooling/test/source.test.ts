import { describe, expect, it } from 'vitest';
import { findCycle } from '../source/cycle.ts';
import { folderGraph } from '../source/folder-graph.ts';
import { argumentsOf, specifiersOf } from '../source/syntax.ts';

describe('specifiersOf', () => {
  it('finds every form of import, in order', () => {
    const source = `
      import 'a';
      import { b } from 'b';
      import type { C } from 'c';
      import * as d from 'd';
      export { e } from 'e';
      export type { F } from 'f';
      export * from 'g';
      const h = async () => await import('h');
      type I = import('i').I;
      export const local = 1;
    `;
    expect(specifiersOf(source)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']);
  });

  it('does not take comments and strings for code', () => {
    const source = `
      // import { a } from 'a';
      /* import 'b'; */
      const c = "import { c } from 'c'";
      const d = \`import('d')\`;
      const quote = /'/;
    `;
    expect(specifiersOf(source)).toEqual([]);
  });
});

describe('argumentsOf', () => {
  it('returns literal arguments, and undefined for the others', () => {
    const source = `
      verifies('A', "B");
      describe('x', () => { it('y', () => { verifies('C'); }); });
      other('D');
      // verifies('E');
      verifies(id, ...more);
    `;
    expect(argumentsOf('verifies', source)).toEqual(['A', 'B', 'C', undefined, undefined]);
  });
});

describe('findCycle', () => {
  const graph = (arrows: Record<string, string[]>): Map<string, Set<string>> =>
    new Map(Object.entries(arrows).map(([from, to]) => [from, new Set(to)]));

  it('finds none if all arrows point down', () => {
    expect(findCycle(graph({ a: ['b', 'c'], b: ['c', 'd'], c: ['d'] }))).toBeUndefined();
  });

  it('names only the nodes of the cycle', () => {
    expect(findCycle(graph({ a: ['b'], b: ['c'], c: ['d', 'b'] }))).toEqual(['b', 'c', 'b']);
  });

  it('finds a node that points at itself', () => {
    expect(findCycle(graph({ a: ['a'] }))).toEqual(['a', 'a']);
  });
});

describe('folderGraph', () => {
  it('draws arrows between folders and to packages of this repository', () => {
    const modules = [
      { path: 'packages/host/src/a/one.ts', specifiers: ['./two.ts', '../b/index.ts', 'zod'] },
      { path: 'packages/host/src/a/two.ts', specifiers: [] },
      { path: 'packages/host/src/b/index.ts', specifiers: ['@house/base', '@house/base/deep'] },
      { path: 'packages/host/src/index.ts', specifiers: ['./a/one.ts'] },
      { path: 'packages/base/src/index.ts', specifiers: [] },
      { path: 'packages/base/src/deep/index.ts', specifiers: ['../index.ts'] },
    ];
    const names = new Map([['@house/base', 'packages/base/src']]);
    expect(folderGraph(modules, names)).toEqual(
      new Map([
        ['packages/host/src/a', new Set(['packages/host/src/b'])],
        ['packages/host/src/b', new Set(['packages/base/src/index.ts', 'packages/base/src/deep'])],
        ['packages/host/src/index.ts', new Set(['packages/host/src/a'])],
        ['packages/base/src/index.ts', new Set()],
        ['packages/base/src/deep', new Set(['packages/base/src/index.ts'])],
      ]),
    );
  });
});
