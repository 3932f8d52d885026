// A pattern is code with holes: `$NAME` matches one piece of syntax, `$$$NAME` any number of them. A repeated name has to
// match the same code, except `$_`. The pattern is parsed by the grammar of the language, with names in place of the
// holes, inside the first template in which it has no syntax error.

import type { Node, Tree } from 'web-tree-sitter';

export interface Hole {
  readonly kind: 'one' | 'many';
  /** Empty if the hole is not bound. */
  readonly name: string;
}

export interface PatternText {
  /** The pattern with names in place of the holes. */
  readonly code: string;
  /** Names outside of holes: a text that lacks one of them has no match. */
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

/** The hole, if the text of a node is nothing else. */
export function holeIn(text: string): Hole | undefined {
  const [, kind, name = ''] = STAND_IN.exec(text.trim()) ?? [];
  if (kind !== 'one' && kind !== 'many') return undefined;
  return { kind, name: name === '_' || name.startsWith('_') ? '' : name };
}

/** Templates for a pattern that is not a file by itself; `%` stands for the pattern. */
const TEMPLATES = [
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

/** `undefined` if the pattern is not code of the language. The caller deletes the tree. */
export function parsePattern(
  { code }: PatternText,
  parse: (text: string) => Tree | undefined,
): ParsedPattern | undefined {
  for (const template of TEMPLATES) {
    const start = template.indexOf('%');
    const tree = parse(template.replace('%', () => code));
    if (tree === undefined) continue;
    const root = tree.rootNode.hasError ? undefined : rootIn(tree, start, start + code.length);
    if (root !== undefined) return { tree, root };
    tree.delete();
  }
  return undefined;
}

/** The innermost node that covers the whole pattern and has more than one child. */
function rootIn(tree: Tree, start: number, end: number): Node | undefined {
  const last = tree.rootNode.text.slice(start, end).endsWith(';') ? end - 1 : end;
  let node = tree.rootNode.descendantForIndex(start, Math.max(start, last - 1));
  if (node === null || node.startIndex < start || node.endIndex > end) return undefined;
  while (node.childCount === 1 && node.firstNamedChild !== null) node = node.firstNamedChild;
  return node;
}

/** The new text for a match: holes in the template are replaced by their text. */
export function fillTemplate(template: string, bound: ReadonlyMap<string, string>): string {
  return template.replace(HOLES, (whole, many: string | undefined, one: string | undefined) => {
    const name = one ?? many ?? '';
    return bound.get(name) ?? whole;
  });
}
