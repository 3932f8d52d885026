// Extracts facts from TypeScript text with a real parser, so that comments and strings do not count as code: the
// imported modules, and the literals that are passed to a function. The caller reads the files.

import { parseAst } from 'vitest/node';

/** The extension of a file. */
export type Language = 'ts' | 'tsx';

/** Every module that a source imports: for values, for types, by re-export and at run time. */
export function specifiersOf(source: string, language: Language = 'ts'): string[] {
  return nodesOf(source, language)
    .filter((node) => IMPORTING.has(node.type))
    .map((node) => literalOf(node['source']))
    .filter((specifier) => specifier !== undefined);
}

/** The arguments of every call of `callee`; undefined stands for one that is not a string literal. */
export function argumentsOf(callee: string, source: string): (string | undefined)[] {
  return nodesOf(source)
    .filter((node) => node.type === 'CallExpression' && isIdentifier(node['callee'], callee))
    .flatMap((node) => (node['arguments'] as unknown[]).map(literalOf));
}

interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

const IMPORTING: ReadonlySet<string> = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
]);

function nodesOf(source: string, lang: Language = 'ts'): Node[] {
  const nodes: Node[] = [];
  const open: unknown[] = [parseAst(source, { lang })];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (isNode(value)) nodes.push(value);
    // Pushed in reverse, so that nodes come out in the order of the text.
    open.push(...Object.values(value).toReversed());
  }
  return nodes;
}

function isNode(value: object): value is Node {
  return 'type' in value && typeof value.type === 'string';
}

function isIdentifier(value: unknown, name: string): boolean {
  const node = value as Node | null;
  return node?.type === 'Identifier' && node['name'] === name;
}

function literalOf(value: unknown): string | undefined {
  const node = value as Node | null;
  return node?.type === 'Literal' && typeof node['value'] === 'string' ? node['value'] : undefined;
}
