import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { hasGrammar, Parsers } from '../../src/chunk/index.ts';
import { matchNode } from '../../src/structure/match.ts';
import { fillTemplate, parsePattern, readPattern } from '../../src/structure/pattern.ts';

const parsers = new Parsers();

/** The bound holes for the first node of the code that matches. */
async function bound(
  language: string,
  pattern: string,
  code: string,
): Promise<Record<string, string> | undefined> {
  if (!hasGrammar(language)) throw new Error(language);
  const loaded = await parsers.load(language);
  const parsed = parsePattern(readPattern(pattern), (text) => loaded.parse(text, () => false));
  const tree = loaded.parse(code, () => false);
  if (parsed === undefined || tree === undefined) throw new Error('it was not parsed');
  const fitting = tree.rootNode
    .descendantsOfType(parsed.root.type)
    .flatMap((node) => (node === null ? [] : (matchNode(parsed.root, node) ?? [])));
  const [first] = fitting;
  return first instanceof Map ? (Object.fromEntries(first) as Record<string, string>) : undefined;
}

describe('a pattern of code', () => {
  verifies('COD-17');

  it.each([
    [
      'typescript',
      'fetch($URL, $$$REST)',
      'await fetch(\n  url, a, b\n);',
      { URL: 'url', REST: 'a, b' },
    ],
    ['typescript', 'fetch($URL, $$$REST)', 'fetch(url)', { URL: 'url', REST: '' }],
    ['typescript', 'fetch($URL, $$$REST)', 'get(url)', undefined],
    ['typescript', '$A === $A', 'if (x.y === x.y) {}', { A: 'x.y' }],
    ['typescript', '$A === $A', 'if (x.y === x.z) {}', undefined],
    [
      'typescript',
      'if ($A) { $$$B }',
      'if (a /* why */) { b(); c(); }',
      { A: 'a', B: 'b(); c();' },
    ],
    ['python', 'print($X)', 'def f():\n    print(1 + 2)\n', { X: '1 + 2' }],
    ['python', 'if $A is None:\n    return $B', 'if a is None:\n  return 1\n', { A: 'a', B: '1' }],
    ['go', 'fmt.Println($$$A)', 'package p\nfunc f() { fmt.Println(1, 2) }\n', { A: '1, 2' }],
    [
      'go',
      'if err != nil { return $E }',
      'package p\nfunc f() error { if err != nil { return err }; return nil }\n',
      { E: 'err' },
    ],
    ['java', 'foo($A)', 'class A { void f() { foo(1); } }', { A: '1' }],
    ['rust', 'let $X = $Y.unwrap();', 'fn f() { let a = b.unwrap(); }', { X: 'a', Y: 'b' }],
    ['c', 'free($P)', 'void f(void) { free(p); }', { P: 'p' }],
  ])('finds in %s: %s', async (language, pattern, code, expected) => {
    expect(await bound(language, pattern, code)).toEqual(expected);
  });

  it('gives up on a pattern with too many possible matches', async () => {
    const holes = Array.from({ length: 12 }, (_, at) => `$$$A${at}, x`).join(', ');
    const code = `f(${Array.from({ length: 200 }, () => 'y').join(', ')})`;
    expect(await bound('javascript', `f(${holes})`, code)).toBeUndefined();
  });

  it('fills a template with the bound holes, and leaves others unchanged', () => {
    const holes = new Map([
      ['URL', 'url'],
      ['REST', 'a, $b'],
    ]);
    expect(fillTemplate('request($URL, $$$REST, $OTHER)', holes)).toBe(
      'request(url, a, $b, $OTHER)',
    );
  });
});
