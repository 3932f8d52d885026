import * as fc from 'fast-check';
import { getNodeValue, type Node, parseTree } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { MAX_DEPTH, parseDocument, nodeValue } from '../../../src/config/text/document.ts';
import { readPlainJson } from '../../../src/config/text/plain-json.ts';

/** A node as plain data, whatever its class. */
interface Outline {
  readonly type: Node['type'];
  readonly offset: number;
  readonly length: number;
  readonly colonOffset?: number | undefined;
  readonly value?: unknown;
  readonly children?: readonly Outline[] | undefined;
}

function outline({ type, offset, length, colonOffset, value, children }: Node): Outline {
  return { type, offset, length, colonOffset, value, children: children?.map(outline) };
}

function rootOf(text: string): Node {
  const read = readPlainJson(text, MAX_DEPTH);
  if (read === undefined) throw new Error(`not plain: ${text}`);
  return read.root;
}

const space = fc.string({ unit: fc.constantFrom(' ', '\n', '\r', '\t'), maxLength: 3 });

/** A JSON text with white space in any place, and duplicate keys. */
const plainTexts = fc.letrec<{ value: string; list: string; object: string }>((tie) => {
  const padded = fc.tuple(space, tie('value'), space).map((parts) => parts.join(''));
  const key = fc.oneof(fc.constantFrom('"a"', '"b"', '"__proto__"'), fc.json({ maxDepth: 0 }));
  const property = fc
    .tuple(
      space,
      key.filter((text) => text.startsWith('"')),
      space,
      padded,
    )
    .map(([before, name, after, value]) => `${before}${name}${after}:${value}`);
  return {
    value: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'json' },
      fc.constantFrom(
        '""',
        '"\\\\"',
        '"\\""',
        '"a\\\\\\"{[:"',
        '1.50e+2',
        'null',
        'true',
        '"é\\u00e9"',
      ),
      fc.json({ maxDepth: 0 }),
      tie('list'),
      tie('object'),
    ),
    list: fc.array(padded, { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    object: fc.array(property, { maxLength: 4 }).map((items) => `{${items.join(',')}}`),
  };
}).value;

describe('reading plain JSON', () => {
  it('yields the same tree as the parser of JSON with comments', () => {
    fc.assert(
      fc.property(space, plainTexts, space, (before, text, after) => {
        const all = `${before}${text}${after}`;
        const expected = parseTree(all, [], { disallowComments: true });
        expect(outline(rootOf(all))).toEqual(expected && outline(expected));
      }),
    );
  });

  it('yields the same values as JSON.parse', () => {
    fc.assert(
      fc.property(plainTexts, (text) => {
        const root = rootOf(text);
        expect(nodeValue(root)).toEqual(JSON.parse(text));
        expect(nodeValue(root)).toEqual(getNodeValue(root));
      }),
    );
  });

  it('detects a repeated key in the same object', () => {
    fc.assert(
      fc.property(plainTexts, (text) => {
        const read = readPlainJson(text, MAX_DEPTH);
        expect(read?.repeatsKeys).toBe(hasRepetition(rootOf(text)));
      }),
    );
  });

  it('accepts exactly what JSON.parse accepts', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:\\/1 ') }), (text) => {
        expect(readPlainJson(text, MAX_DEPTH) !== undefined).toBe(isJson(text));
      }),
    );
  });

  it.each(['', ' ', '{', '{"a":1,}', '// x\n{}', '{} {}', "{'a':1}", '{"a":\u00a01}', '\ufeff{}'])(
    'rejects %j',
    (text) => {
      expect(readPlainJson(text, MAX_DEPTH)).toBeUndefined();
    },
  );

  it('accepts the maximum depth, but no greater one', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect(parseDocument(nested(MAX_DEPTH)).kind).toBe('tree');
    const tooDeep = { kind: 'too-deep', offset: MAX_DEPTH };
    expect(parseDocument(nested(MAX_DEPTH + 1))).toEqual(tooDeep);
    expect(parseDocument(`${nested(MAX_DEPTH + 1)} // x`)).toEqual(tooDeep);
    expect(parseDocument(nested(1_000_000))).toEqual(tooDeep);
  });

  it('accepts a text as long as the file', () => {
    const long = JSON.stringify({ a: '\\"'.repeat(1_000_000) });
    expect(nodeValue(rootOf(long))).toEqual(JSON.parse(long));
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // The engine's parser throws for no other reason.
    return false;
  }
}

function hasRepetition({ type, children = [] }: Node): boolean {
  const names = children.map((child) => child.children?.[0]?.value as unknown);
  const repeats = type === 'object' && new Set(names).size < names.length;
  return repeats || children.some(hasRepetition);
}
