import type { JsonObject } from '@plugboard/base';
import { processorMs, verifies } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { schemaCheck } from '../../src/host/schema-check.ts';
import type { ArgumentIssue } from '../../src/host/argument-issue.ts';
import { isTamePattern } from '../../src/schema/tame-pattern.ts';

async function issuesOf(schema: JsonObject, given: JsonObject): Promise<readonly ArgumentIssue[]> {
  const check = await schemaCheck(schema);
  return check(given);
}

/** Each definition refers to the next one twice: 2^levels checks of one value. */
function doubling(levels: number): JsonObject {
  const next = (level: number): JsonObject => ({ $ref: `#/$defs/d${level + 1}` });
  const definitions = Array.from({ length: levels }, (_, level) => [
    `d${level}`,
    { allOf: [next(level), next(level)] },
  ]);
  const last = { type: 'object', properties: { a: { type: 'string' } } };
  return {
    allOf: [{ $ref: '#/$defs/d0' }],
    $defs: { ...Object.fromEntries(definitions), [`d${levels}`]: last },
  };
}

describe('the check of arguments', () => {
  it('names every wrong place', async () => {
    verifies('CAL-02');
    const schema = {
      type: 'object',
      properties: { to: { type: 'array', items: { type: 'string', format: 'email' } } },
      required: ['subject'],
      additionalProperties: false,
    };
    expect(await issuesOf(schema, { to: ['a@example.com', 'nobody'], cc: [] })).toEqual([
      { path: '', message: "must have required property 'subject'" },
      { path: '', message: 'must NOT have additional properties: cc' },
      { path: '/to/1', message: 'must match format "email"' },
    ]);
  });

  it.each<[string, JsonObject]>([
    ['plain', { enum: ['js', 'py'] }],
    ['of any other kind', { type: 'string', minLength: 1, enum: ['js', 'py'] }],
  ])('names the allowed values, if the schema is %s', async (_, language) => {
    const schema = { type: 'object', properties: { language } };
    const message = 'must be equal to one of the allowed values: "js", "py"';
    expect(await issuesOf(schema, { language: 'basic' })).toEqual([{ path: '/language', message }]);
  });

  it('names a single allowed value, and no more values than can be read', async () => {
    const one = { type: 'object', properties: { kind: { const: 'a' } } };
    expect(await issuesOf(one, { kind: 'b' })).toEqual([
      { path: '/kind', message: 'must be equal to one of the allowed values: "a"' },
    ]);
    const many = Array.from({ length: 1000 }, () => 'x'.repeat(1000));
    const schema = { type: 'object', properties: { kind: { enum: many } } };
    const [issue] = await issuesOf(schema, { kind: 'b' });
    expect(issue?.message).toMatch(/, "x+…, 970 more$/);
    expect(issue?.message.length).toBeLessThan(3000);
  });

  it('passes what it cannot check, and still checks the next', async () => {
    const schema = { type: 'object', not: { required: ['a'] } };
    const outOfFiles = (): Promise<never> =>
      Promise.reject(Object.assign(new Error('too many open files'), { code: 'EMFILE' }));
    const unchecked = await schemaCheck(schema, outOfFiles);
    expect(unchecked({ a: 1 })).toEqual([]);
    expect(await issuesOf(schema, { a: 1 })).toEqual([{ path: '', message: 'must NOT be valid' }]);
  });

  it.each([
    [
      '2020-12',
      'https://json-schema.org/draft/2020-12/schema',
      { prefixItems: [{ type: 'string' }] },
    ],
    ['draft-07', 'http://json-schema.org/draft-07/schema#', { items: [{ type: 'string' }] }],
  ])('supports %s', async (_, $schema, list) => {
    const schema = { $schema, type: 'object', properties: { list: { type: 'array', ...list } } };
    expect(await issuesOf(schema, { list: [1] })).toEqual([
      { path: '/list/0', message: 'must be string' },
    ]);
  });

  it('does not confuse a schema with another of the same id', async () => {
    const $id = 'https://example.com/shared';
    const strict = { $id, type: 'object', required: ['a'] };
    const loose = { $id, type: 'object' };
    expect(await issuesOf(strict, {})).toHaveLength(1);
    expect(await issuesOf(loose, {})).toEqual([]);
  });

  it.each([
    ['does not compile', { type: 'nonsense' }],
    ['points nowhere', { $ref: '#/nowhere' }],
    ['points to the network', { $ref: 'https://example.com/schema.json' }],
    ['is too large', { required: ['a'], description: 'x'.repeat(300_000) }],
    ['could take for ever', { required: ['a'], properties: { b: { pattern: '^(a+)+$' } } }],
  ])('checks nothing when the schema %s', async (_, schema) => {
    expect(await issuesOf(schema, { b: `${'a'.repeat(40)}!` })).toEqual([]);
  });

  it.each([
    ['doubles with every step', doubling(60)],
    ['refers to itself and nothing else', { allOf: [{ $ref: '#' }], required: ['a'] }],
  ])('finds nothing, quickly, if the schema %s', async (_, schema) => {
    expect(await issuesOf(schema, { a: 'x' })).toEqual([]);
  });

  it('checks the expressions that are safe to run', async () => {
    const schema = { properties: { id: { type: 'string', pattern: '^[a-z]+-\\d{2,4}$' } } };
    expect(await issuesOf(schema, { id: 'abc-123' })).toEqual([]);
    expect(await issuesOf(schema, { id: 'abc' })).toHaveLength(1);
    expect(await issuesOf(schema, { id: 'a'.repeat(300) })).toEqual([]);
  });
});

describe('a pattern that is safe to run', () => {
  it.each([
    '^[a-z0-9-]+$',
    '^\\d{4}-\\d{2}-\\d{2}$',
    '^(?:GET|POST)$',
    '^https?://',
    '.*foo.*',
    '^(ab){3}$',
    '^([0-9a-f]{2}:){5}[0-9a-f]{2}$',
    '^[\\w.+-]+@[\\w-]+\\.[\\w.-]+$',
    '[*+]{2}',
    '^\\(\\d+\\)$',
    '^a{1,50}b?$',
    '(?<year>\\d{4})',
    'a{b',
    '',
  ])('is %s', (pattern) => {
    expect(isTamePattern(pattern)).toBe(true);
  });

  it.each([
    '^(a+)+$',
    '(a*)*',
    '(a|aa)+$',
    '(a?a?)*$',
    '^(?:a?){50}$',
    `^${'a?'.repeat(30)}${'a'.repeat(30)}$`,
    `^${'(a|a)'.repeat(30)}$`,
    '((ab)*c)*',
    '^(\\w+\\s?)*$',
    '(.)\\1',
    '(?<x>a)\\k<x>',
    '^a*a*a*a*$',
    '^x{2,}y{3,}z{4,}w*$',
    'a)',
    '\\',
    'a'.repeat(2000),
  ])('is not %s', (pattern) => {
    expect(isTamePattern(pattern)).toBe(false);
  });

  it('takes little time on any text', async () => {
    const atom = fc.constantFrom('a', 'b', '[ab]', '.', 'aa');
    const quantifier = fc.constantFrom('', '*', '+', '?', '{2}', '{1,3}', '{2,}');
    const { pattern: patterns } = fc.letrec<{ pattern: string; group: string }>((tie) => ({
      pattern: fc
        .array(fc.tuple(fc.oneof({ maxDepth: 3 }, atom, tie('group')), quantifier), {
          minLength: 1,
          maxLength: 5,
        })
        .map((parts) => parts.flat().join('')),
      group: fc
        .array(tie('pattern'), { minLength: 1, maxLength: 2 })
        .map((choices) => `(?:${choices.join('|')})`),
    }));
    await fc.assert(
      fc.asyncProperty(patterns, async (body) => {
        const pattern = `^${body}$`;
        if (!isTamePattern(pattern)) return;
        const took = await processorMs(() => {
          new RegExp(pattern).test(`${'a'.repeat(255)}!`);
          new RegExp(pattern).test(`${'ab'.repeat(127)}!`);
        });
        expect(took).toBeLessThan(2000);
      }),
      { numRuns: 2000 },
    );
  });
});
