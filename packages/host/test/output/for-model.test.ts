import { canonicalJson, type Json } from '@plugboard/base';
import { verifies } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../src/output/estimate-tokens.ts';
import { partForModel, textKindOf } from '../../src/output/for-model.ts';
import { type Part, toText } from '../../src/output/index.ts';
import { readTable } from './read-table.ts';

const ISSUES = Array.from({ length: 30 }, (_, index) => ({
  number: 4000 + index,
  title: `Something is wrong with part ${index}`,
  state: index % 3 === 0 ? 'closed' : 'open',
  author: { login: `user-${index % 5}` },
  labels: ['bug'],
}));

const structured = (value: Json): Part => ({ kind: 'structured', value });
const text = (words: string): Part => ({ kind: 'text', text: words });
const textOf = (part: Part): string => toText([part]);

describe('a list of objects, as a model reads it', () => {
  it('is a table with all that was in it', () => {
    verifies('OUT-09');
    for (const part of [
      structured(ISSUES),
      structured({ items: ISSUES, total: 200 }),
      text(JSON.stringify(ISSUES)),
      text(`${JSON.stringify({ data: { issues: ISSUES } }, undefined, 4)}\n`),
    ]) {
      const told = partForModel(part, 'data');
      const value = part.kind === 'structured' ? part.value : (JSON.parse(textOf(part)) as Json);
      expect(canonicalJson(readTable(textOf(told)))).toBe(canonicalJson(value));
      expect(estimateTokens(textOf(told))).toBeLessThan(estimateTokens(textOf(part)) * 0.85);
    }
  });

  it('lists the violations of the schema below the table', () => {
    const problems = [{ path: '/0/number', message: 'must be string' }];
    const told = textOf(partForModel({ ...structured(ISSUES), problems } as Part, 'data'));
    expect(told).toMatch(/\n\[The structured result is not .*: \/0\/number must be string\]$/);
  });

  it.each<[string, string]>([
    ['it is short', JSON.stringify(ISSUES.slice(0, 2))],
    [
      'a table is hardly shorter',
      JSON.stringify(Array.from({ length: 9 }, () => ({ x: 'many words here '.repeat(30) }))),
    ],
    ['there is more than JSON', `Found:\n${JSON.stringify(ISSUES)}`],
    [
      'a number has more digits than a number can have',
      JSON.stringify(ISSUES).replace('4000', '12345678901234567890'),
    ],
    ['a key is there twice', JSON.stringify(ISSUES).replace('"number":', '"number":1,"number":')],
    ['it is no JSON', JSON.stringify(ISSUES).slice(0, -1)],
  ])('stays unchanged if %s', (_, words) => {
    verifies('OUT-09');
    expect(partForModel(text(words), 'data')).toEqual(text(words));
  });

  it('stays unchanged if it may be the text of a file', () => {
    verifies('OUT-09');
    const words = JSON.stringify(ISSUES);
    expect(partForModel(text(words), 'verbatim')).toEqual(text(words));
    expect([
      textKindOf('read_text_file', undefined),
      textKindOf('getFileContents', undefined),
      textKindOf('read', { content: words }),
      textKindOf('list_issues', undefined),
    ]).toEqual(['verbatim', 'verbatim', 'verbatim', 'data']);
  });

  it('is compact JSON if it is not a table and that saves enough', () => {
    const tree = {
      root: { a: { b: ISSUES.map(({ title }) => title), c: { d: { e: [1, 2, 3] } } } },
    };
    expect(textOf(partForModel(structured(tree), 'data'))).toBe(JSON.stringify(tree));
    const words = { text: 'many words here '.repeat(60) };
    expect(partForModel(structured(words), 'data')).toEqual(structured(words));
  });
});

const row = fc.record(
  { id: fc.integer(), name: fc.string(), tags: fc.array(fc.string()), more: fc.jsonValue() },
  { requiredKeys: ['id', 'name'] },
);

it('the form for a model contains the whole of any list of objects, and is never longer', () => {
  verifies('OUT-09');
  const law = fc.property(fc.array(row, { maxLength: 40 }), fc.boolean(), (rows, isText) => {
    const value = rows as Json;
    const part = isText ? text(JSON.stringify(value)) : structured(value);
    const told = textOf(partForModel(part, 'data'));
    expect(told.length).toBeLessThanOrEqual(textOf(part).length);
    const read = told.startsWith('[JSON with') ? readTable(told) : (JSON.parse(told) as Json);
    expect(canonicalJson(read)).toBe(canonicalJson(value));
  });
  fc.assert(law);
});
