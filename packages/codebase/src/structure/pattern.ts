// A pattern of code: code with holes. `$NAME` is one piece of syntax, `$$$NAME` any number of them; a name that stands
// twice has to be the same code twice, and `$_` may differ. It is parsed by the grammar of the language, with names in
// place of the holes, in the first surrounding in which it is whole.

import type { Node, Tree } from 'web-tree-sitter';

export interface Hole {
  readonly kind: 'one' | 'many';
  /** Empty where it is not kept. */
  readonly name: string;
}

export interface PatternText {
  /** With names in place of the holes. */
  readonly code: string;
  /** Names of the code itself: a text without one of them has no match. */
  readonly literals: readonly string[];
}

const HOLES = /\$\$\$([A-Z_][A-Z0-9_]*)?|\$([A-Z_][A-Z0-9_]*)/g;
const STAND_IN = /^plugboard_(one|many)_([A-Z0-9_]*?)_?;?$/;
const NAME = /[A-Za-z_]\w+/g;

export function readPattern(pattern: string): PatternText {
  const bare = pattern.replace(HOLES, ' ');
  const code = pattern
    .trim()
    .replace(HOLES, (_, many: string | undefined, one: string | undefined) =>
      one === undefined ? `plugboard_many_${many ?? ''}_` : `plugboard_one_${one}_`,
    );
  return { code, literals: [...new Set(bare.match(NAME) ?? [])] };
}

/** Whether all of a node is a hole. */
export function holeIn(text: string): Hole | undefined {
  const [, kind, name = ''] = STAND_IN.exec(text.trim()) ?? [];
  if (kind !== 'one' && kind !== 'many') return undefined;
  return { kind, name: name === '_' || name.startsWith('_') ? '' : name };
}

/** What is put around a pattern that is not a file by itself; `%` is the pattern. */
const AROUND = [
  '%',
  '%;',
  '(%)',
  'function f() { %; }',
  'class C { % }',
  'package p\nfunc f() { %\n}',
  'package p\n%',
  'class C { void f() { %; } }',
  'class C { void f() { % } }',
  'void f() { %; }',
  'fn f() { %; }',
  'fn f() { % }',
  'def f():\n  %',
  '<?php %;',
  '<?php class C { % }',
];

export interface ParsedPattern {
  readonly tree: Tree;
  readonly root: Node;
}

/** `undefined` if the pattern is no code of the language. The caller deletes the tree. */
export function parsePattern(
  { code }: PatternText,
  parse: (text: string) => Tree | undefined,
): ParsedPattern | undefined {
  for (const around of AROUND) {
    const start = around.indexOf('%');
    const tree = parse(around.replace('%', () => code));
    if (tree === undefined) continue;
    const root = tree.rootNode.hasError ? undefined : rootIn(tree, start, start + code.length);
    if (root !== undefined) return { tree, root };
    tree.delete();
  }
  return undefined;
}

/** The innermost node that is all of the pattern and more than a wrapping. */
function rootIn(tree: Tree, start: number, end: number): Node | undefined {
  const last = tree.rootNode.text.slice(start, end).endsWith(';') ? end - 1 : end;
  let node = tree.rootNode.descendantForIndex(start, Math.max(start, last - 1));
  if (node === null || node.startIndex < start || node.endIndex > end) return undefined;
  while (node.childCount === 1 && node.firstNamedChild !== null) node = node.firstNamedChild;
  return node;
}

/** The new text for a match: holes in the template are what they stand for. */
export function fillTemplate(template: string, bound: ReadonlyMap<string, string>): string {
  return template.replace(HOLES, (whole, many: string | undefined, one: string | undefined) => {
    const name = one ?? many ?? '';
    return bound.get(name) ?? whole;
  });
}
