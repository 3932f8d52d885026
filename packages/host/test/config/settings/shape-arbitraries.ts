// Arbitrary values that a shape accepts, and values that are almost valid, for property tests of shapes.

import { isObject, type Json } from '@plugboard/base';
import { codePoint } from '@plugboard/testkit/code-point';
import * as fc from 'fast-check';
import type { AnyShape, NameRule } from '../../../src/config/text/shape.ts';

export function valueOf({ form }: AnyShape): fc.Arbitrary<Json> {
  switch (form.kind) {
    case 'text': {
      const { pattern } = form;
      return texts.filter((value) => pattern === undefined || pattern.test(value));
    }
    case 'flag':
      return fc.boolean();
    case 'number':
      return fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
    case 'any':
      return fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<Json>;
    case 'text-or':
      return fc.oneof(valueOf(form.text), valueOf(form.item));
    case 'whole-number':
      return fc.oneof(
        fc.integer({ min: form.min, max: Math.min(form.max, 2 ** 31 - 1) }),
        fc.constantFrom(form.min, form.max),
      );
    case 'one-of':
      return fc.constantFrom(...form.words);
    case 'list':
      return fc.array(valueOf(form.item), { minLength: form.least, maxLength: form.least + 2 });
    case 'map':
      return fc.dictionary(nameBy(form.names), valueOf(form.item), { maxKeys: 2 });
    case 'flag-or':
      return fc.oneof(fc.boolean(), valueOf(form.item));
    case 'fields': {
      const fields = Object.entries(form.shapes).map(([key, shape]) => [key, valueOf(shape)]);
      const record = Object.fromEntries(fields) as Record<string, fc.Arbitrary<Json>>;
      const { required = [], least = 0 } = form;
      return fc
        .record(record, { requiredKeys: [...required] })
        .filter((value) => Object.keys(value).length >= least);
    }
    case 'one-field':
      return fc.oneof(
        ...Object.entries(form.shapes).map(([key, shape]) =>
          valueOf(shape).map((value) => ({ [key]: value })),
        ),
      );
    default:
      return form satisfies never;
  }
}

/** Changes one place of a value: another value, another key, or an additional value. */
export function mutated(values: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  const change = fc.record({
    way: fc.array(fc.nat(20), { minLength: 1, maxLength: 4 }),
    to: fc.oneof(
      fc.constantFrom<Json>(0, -1, 1.5, 2 ** 31, 2 ** 53, '', ' ', '${VAR}', 'deny', true, null),
      fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<Json>,
    ),
    kind: fc.constantFrom('value' as const, 'key' as const, 'more' as const),
  });
  return fc.tuple(values, change).map(([value, { way, to, kind }]) => {
    const at = (node: Json, [first = 0, ...rest]: readonly number[]): Json => {
      const entries = Object.entries(isObject(node) || Array.isArray(node) ? node : {});
      const [key, inner] = entries[first % Math.max(1, entries.length)] ?? [];
      if (key === undefined) return to;
      const isLast = rest.length === 0;
      const changed = isLast ? (kind === 'value' ? to : (inner as Json)) : at(inner as Json, rest);
      if (Array.isArray(node)) {
        const items = node.map((item: Json, index) => (String(index) === key ? changed : item));
        return isLast && kind !== 'value' ? [...items, to] : items;
      }
      if (!isLast || kind === 'value') return { ...(node as object), [key]: changed };
      const others = kind === 'more' ? entries : entries.filter(([name]) => name !== key);
      return Object.fromEntries([...others, [`${key}s`, kind === 'more' ? to : changed]]);
    };
    return at(value, way);
  });
}

const texts = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: codePoint }),
  fc.constantFrom(
    'npx',
    '${VAR}',
    '${secret:NAME}',
    '15%',
    ' x ',
    '\n',
    '\u0000',
    'https://example.com',
    '\uD800',
  ),
);

function nameBy({ pattern, reserved = [] }: NameRule): fc.Arbitrary<string> {
  return fc
    .oneof(fc.constantFrom('A', 'x-y', 'API_KEY'), fc.string({ minLength: 1, maxLength: 8 }))
    .filter((name) => pattern.test(name) && !reserved.includes(name));
}
