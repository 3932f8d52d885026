import { isObject } from '@plugboard/base';
import { describe, expect, it } from 'vitest';
import {
  entryShape,
  FIELD_KEYS,
  isFieldKey,
  isIndispensable,
  isSecretField,
  LAUNCH_KEYS,
  mergeRuleOf,
  rowOf,
} from '../../../src/config/fields/entry-fields.ts';
import type { FieldKey } from '../../../src/config/fields/entry-fields.ts';
import { launchFields } from '../../../src/config/fields/server-entry.ts';
import { readEntry } from '../../../src/config/merge/read-entry.ts';
import { ENTRY_WORDS } from '../../../src/config/settings/entry-words.ts';
import type { AnyShape } from '../../../src/config/text/shape.ts';

/** The value of the field in its example. */
function exampleOf(key: FieldKey): Readonly<Record<string, unknown>> {
  return JSON.parse(`{ ${rowOf(key).example} }`) as Readonly<Record<string, unknown>>;
}

/** The fields of an object, whether the value must be an object or may be one. */
function keysIn({ form }: AnyShape): readonly string[] {
  if (form.kind === 'flag-or') return keysIn(form.item);
  return form.kind === 'fields' ? Object.keys(form.shapes) : [];
}

describe('the row of each field of an entry', () => {
  it.each(FIELD_KEYS)('has an example of %s that its shape accepts', (key) => {
    const example = exampleOf(key);
    expect(Object.keys(example)).toEqual([key]);
    expect(entryShape.problems(example)).toEqual([]);
  });

  it.each(FIELD_KEYS)('has words for %s', (key) => {
    const words = ENTRY_WORDS[key];
    expect(typeof words === 'string' ? words : words.about).toMatch(/^[A-Z][^]*\.$/);
  });

  it('has a merge rule for every key of a field whose keys have different rules', () => {
    const ruled = FIELD_KEYS.flatMap((key) => {
      const { merge, shape } = rowOf(key);
      return isObject(merge) ? [[key, Object.keys(merge), keysIn(shape)] as const] : [];
    });
    expect(ruled.map(([key]) => key)).toEqual(['tools', 'permissions']);
    for (const [, rules, keys] of ruled) expect(rules).toEqual(keys);
  });

  it('lists secret parts that the field has', () => {
    for (const key of FIELD_KEYS) {
      const { secret = true, shape } = rowOf(key);
      if (secret === true) continue;
      const { form } = shape;
      const inside = keysIn(shape).flatMap((name) => {
        const inner = form.kind === 'fields' ? form.shapes[name] : undefined;
        return [
          name,
          ...(inner === undefined ? [] : keysIn(inner).map((part) => `${name}.${part}`)),
        ];
      });
      expect(secret.filter((part) => !inside.includes(part))).toEqual([]);
    }
  });

  it('refers only to fields that exist', () => {
    const named = FIELD_KEYS.map((key) => rowOf(key).alsoWith).filter((key) => key !== undefined);
    expect(named.filter((key) => !isFieldKey(key))).toEqual([]);
  });
});

describe('a field that decides what is started or reached', () => {
  it.each(LAUNCH_KEYS)('is part of the subject of an approval: %s', (key) => {
    const target = rowOf(key).of === 'stdio' ? { command: 'npx' } : { url: 'https://example.com' };
    const { entry } = readEntry({ ...target, ...exampleOf(key) });
    expect(entry).toBeDefined();
    if (entry !== undefined) expect(Object.keys(launchFields(entry))).toContain(key);
  });

  it('can be withheld exactly where it is marked as secret', () => {
    const needed = LAUNCH_KEYS.filter((key) => isIndispensable([key]));
    expect(needed).toEqual(['type', 'command', 'args', 'cwd', 'url']);
    expect(FIELD_KEYS.filter((key) => isSecretField([key, 'clientSecret']))).toEqual([
      'env',
      'envFile',
      'headers',
      'headersHelper',
      'oauth',
    ]);
    expect(isSecretField(['oauth', 'xaa'])).toBe(true);
    expect(isSecretField(['oauth', 'clientId'])).toBe(false);
  });
});

describe('a field that several sources state', () => {
  it.each([
    [['timeout'], 'strongest'],
    [['env', 'NAME'], 'strongest'],
    [['tools', 'include'], 'all'],
    [['permissions', 'deniedTools'], 'unite'],
    [['permissions', 'toString'], 'strongest'],
    [['sampling', 'maxTokens'], 'least'],
    [['roots'], 'least'],
    [['unknown'], 'strongest'],
  ])('%j is merged by the rule %j', (path, rule) => {
    expect(mergeRuleOf(path)).toBe(rule);
  });
});
