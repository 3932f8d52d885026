import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { chunkText, OF_MODULE, Parsers, USE_KINDS } from '../../src/chunk/index.ts';

const parsers = new Parsers();

/** Each use as `line kind`, with `()` for a call. */
async function usesOf(path: string, text: string): Promise<Record<string, readonly string[]>> {
  const { uses } = await chunkText({ path, text }, parsers, 'syntax');
  return Object.fromEntries(
    [...uses].map(([name, places]) => [
      name.replace(OF_MODULE, ' of '),
      places.map(
        (use) => `${Math.floor(use / 16)} ${USE_KINDS[use & 3]}${(use & 4) === 0 ? '' : '()'}`,
      ),
    ]),
  );
}

describe('the uses of names in a file', () => {
  verifies('COD-15');

  it('leaves out comments, strings, keywords, declarations and names that are bound in a function', async () => {
    const text = [
      "import { retry } from './retry';",
      '// retry is not used here.',
      'export function load(path: string, limit = 3) {',
      "  const text = 'retry';",
      '  return retry(path, text, limit);',
      '}',
      'const again = `${retry(1)} retry`;',
    ].join('\n');
    expect(await usesOf('a.ts', text)).toEqual({
      retry: ['1 bare', '5 bare()', '7 bare()'],
    });
  });

  it('distinguishes members, names of imported modules and keys from plain names', async () => {
    const text = [
      'import os.path',
      'from models import Model, helper as h',
      'def outer(a, b=1, **kw):',
      '    m = Model(a, name=b)',
      '    m.save(f"{h(a)} save", force=True)',
      '    return os.path.join(a)',
    ].join('\n');
    const uses = await usesOf('a.py', text);
    expect(uses).toMatchObject({
      'Model of models': ['2 bare', '4 bare()'],
      name: ['4 key'],
      save: ['5 member()'],
      'h of models': ['2 bare', '5 bare()'],
      force: ['5 key'],
      'join of os': ['6 qualified()'],
    });
    expect(Object.keys(uses)).not.toContain('m');
    expect(Object.keys(uses)).not.toContain('kw');
  });

  it.each([
    [
      'a.go',
      'package a\nfunc F(x int) { y := x; g(y); s.Do() }\n',
      { g: ['2 bare()'], Do: ['2 member()'] },
    ],
    [
      'A.java',
      'class A { void f(int x) { var y = x; g(y); s.go(); } }\n',
      { g: ['1 bare()'], go: ['1 member()'] },
    ],
    [
      'a.rs',
      'fn f(x: u8) { let y = x; g(y); s.go(); m::h(); }\n',
      { g: ['1 bare()'], h: ['1 qualified()'] },
    ],
    [
      'a.c',
      'int f(int x) { int y = x; g(y); s->go(); }\n',
      { g: ['1 bare()'], go: ['1 member()'] },
    ],
    [
      'a.cs',
      'class A { void F(int x) { var y = x; G(y); s.Go(); } }\n',
      { G: ['1 bare()'], Go: ['1 member()'] },
    ],
    [
      'a.rb',
      'def f(x)\n  y = x\n  g(y)\n  s.go(1)\nend\n',
      { g: ['3 bare()'], go: ['4 member()'] },
    ],
    [
      'a.php',
      '<?php function f($x) { $y = $x; g($y); $s->go(); }\n',
      { g: ['1 bare()'], go: ['1 member()'] },
    ],
    ['a.swift', 'func f(x: Int) { g(x); s.go() }\n', { g: ['1 bare()'], go: ['1 member()'] }],
  ])('finds calls in %s', async (path, text, expected) => {
    const uses = await usesOf(path, text);
    expect(uses).toMatchObject(expected);
    expect(Object.keys(uses)).not.toContain('y');
  });

  it('finds tables and functions in SQL, but no keywords, strings, aliases and common table expressions', async () => {
    const text = [
      "WITH recent AS (SELECT * FROM shop.orders WHERE state = 'orders')",
      'Select order_total(o.id) AS amount From recent r JOIN customers o ON o.id = r.customer_id; -- orders',
    ].join('\n');
    expect(await usesOf('a.sql', text)).toEqual({
      shop: ['1 bare'],
      orders: ['1 member'],
      state: ['1 bare'],
      order_total: ['2 bare()'],
      id: ['2 member', '2 member'],
      customers: ['2 bare'],
      customer_id: ['2 member'],
    });
  });

  it('stores a limited number of uses of a name, and respects each of thousands of scopes', async () => {
    const text = `function f() {\n${'  { const a = 1; a . b ; }\n'.repeat(3000)}}\n`;
    const uses = await usesOf('a.js', text);
    expect([uses['a'], uses['b']?.length]).toEqual([undefined, 2048]);
  });
});
