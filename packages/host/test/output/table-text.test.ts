import { canonicalJson, type Json } from '@plugboard/base';
import { verifies } from '@plugboard/testkit';
import { codePoint } from '@plugboard/testkit/code-point';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tableText } from '../../src/output/table-text.ts';
import { readTable } from './read-table.ts';

const NOTE =
  '[JSON with lists of objects as tables: a line of keys, then a line of values for each object, with | between them.]';

describe('a list of objects as a table', () => {
  it('has its keys once, and a line for each object', () => {
    verifies('OUT-09');
    const rows = [
      { id: 1, name: 'Fix the build', open: true },
      { id: 2, name: 'Write it down', open: false },
    ];
    expect(tableText(rows)).toBe(
      [NOTE, '2 rows', 'id|name|open', '1|Fix the build|true', '2|Write it down|false'].join('\n'),
    );
  });

  it('is labelled with its field inside an object, beside the other fields as JSON', () => {
    verifies('OUT-09');
    const value = {
      total: 7,
      data: { items: [{ a: 1 }, { a: 2 }], next: { page: 2 } },
      runs: [{ '[0]': [{ a: 1 }, { a: 2 }] }],
      'odd name': null,
    };
    expect(tableText(value)).toBe(
      [
        ...[NOTE, 'total: 7', 'data/items: 2 rows', 'a', '1', '2'],
        ...['data/next: {"page":2}', 'runs/[0]/~20]: 2 rows', 'a', '1', '2', '"odd name": null'],
      ].join('\n'),
    );
  });

  it('quotes each ambiguous text', () => {
    verifies('OUT-09');
    const texts = [
      ...['', '1', '007', '1e3', '0x10', ' ', ' a', 'a ', 'a\nb', 'a|b', '"a"', '[a]', '{a}', '=a'],
      ...['true', 'True', 'null', 'Infinity', '\ud800', 'a\u2028b', '\u0000'],
    ];
    const quoted = texts.map((text) => JSON.stringify(text));
    expect(
      tableText(texts.map((a) => ({ a })))
        ?.split('\n')
        .slice(3),
    ).toEqual(quoted);
    const plain = [
      'a b',
      'x"y',
      '2026-01-02',
      '/home/a',
      'null and void',
      'a=b',
      '1.2.3',
      'ü',
      '…',
    ];
    expect(
      tableText(plain.map((a) => ({ a })))
        ?.split('\n')
        .slice(3),
    ).toEqual(plain);
  });

  it('distinguishes a missing key, null, and an item that is not an object', () => {
    verifies('OUT-09');
    const value = [{ a: 1, b: null }, { a: 2 }, { b: '' }, { a: [1, { c: 2 }] }, '… 9 more items'];
    expect(tableText(value)?.split('\n')).toEqual([
      `${NOTE.slice(0, -1)} No value is a missing key. = is before an item that is no object.]`,
      ...['5 rows', 'a|b', '1|null', '2|', '|""', '[1,{"c":2}]|', '="… 9 more items"'],
    ]);
  });

  it.each<[string, Json]>([
    ['there is one object', [{ a: 1 }]],
    ['the objects are empty', [{}, {}]],
    ['the items are no objects', [1, 2, 3]],
    ['most of it would be holes', [{ a: 1 }, { b: 1 }, { c: 1 }]],
    ['too many items are no objects', [{ a: 1 }, { a: 2 }, 3, 4]],
    ['it is too deep inside', { a: { b: { c: { d: { e: { f: [{ x: 1 }, { x: 2 }] } } } } } }],
    [
      'every object has keys of its own',
      Array.from({ length: 2000 }, (_, index) => ({ [`k${index}`]: 1 })),
    ],
  ])('is not used if %s', (_, value) => {
    expect(tableText(value)).toBeUndefined();
  });
});

const text = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 8 }),
  fc.constantFrom('', '1', '-0', 'true', 'a|b', '"', '[', '=x', '3 rows', 'a: 1', 'x\ny', '\\'),
);
const key = fc.oneof(
  text,
  fc.constantFrom('__proto__', 'constructor', 'a/b', '~1', '~2', '[0]', 'id', 'name'),
);
const cell = fc.oneof(text, fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>);
const list = fc.uniqueArray(key, { minLength: 1, maxLength: 5 }).chain((keys) => {
  const pairs = keys.map((each) =>
    fc.tuple(fc.constant(each), fc.option(cell, { nil: undefined })),
  );
  const row = fc
    .tuple(...pairs)
    .map((all) => Object.fromEntries(all.filter(([, value]) => value !== undefined)) as Json);
  return fc.array(fc.oneof({ weight: 9, arbitrary: row }, cell), { minLength: 2, maxLength: 6 });
});
const nested = fc.letrec<{ value: Json; items: Json; fields: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    list as fc.Arbitrary<Json>,
    ...[cell, tie('fields'), tie('items')],
  ),
  items: fc.array(tie('value'), { maxLength: 3 }),
  fields: fc
    .array(fc.tuple(key, tie('value')), { maxLength: 4 })
    .map((entries) => Object.fromEntries(entries) as Json),
})).value;

it('any value can be read back from its tables', () => {
  verifies('OUT-09');
  let tables = 0;
  const law = fc.property(nested, (value) => {
    const told = tableText(value);
    if (told === undefined) return;
    tables += 1;
    expect(canonicalJson(readTable(told))).toBe(canonicalJson(value));
  });
  fc.assert(law, { numRuns: 500 });
  expect(tables).toBeGreaterThan(50);
});
