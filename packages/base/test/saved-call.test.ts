import { describe, expect, it } from 'vitest';
import type { Json } from '../src/json.ts';
import { deviations, readSavedCall, readSavedCalls, writeSavedCall } from '../src/saved-call.ts';

const SUM = {
  name: 'adds',
  server: 'calculator',
  tool: 'sum',
  arguments: { a: 1, b: 2 },
  expect: { outcome: 'ok', values: [{ at: '/content/0/text', contains: '3' }] },
};

const result = {
  content: [{ type: 'text', text: '{"total":3,"parts":[1,2]}' }],
  structuredContent: { total: 3 },
};

function failing(...values: readonly Json[]): readonly unknown[] {
  const read = readSavedCall({ ...SUM, expect: { values } });
  if (!read.ok) throw new Error(read.error.reason);
  return deviations(read.value.expect, { outcome: 'ok', ms: 5, result }).map((each) =>
    each.kind === 'value' ? each.found : each,
  );
}

describe('a saved call', () => {
  it('is written in the format that it was read from', () => {
    const read = readSavedCall(SUM);
    expect(read.ok && writeSavedCall(read.value)).toEqual(SUM);
    const resource = {
      name: 'reads',
      server: 'files',
      resource: 'file:///a',
      expect: { outcome: 'ok' },
    };
    const other = readSavedCall(resource);
    expect(other.ok && writeSavedCall(other.value)).toEqual(resource);
  });

  it('passes if every value is as expected, also within a text that is JSON', () => {
    expect(
      failing(
        { at: '/structuredContent/total', equals: 3 },
        { at: '/structuredContent', equals: { total: 3 } },
        { at: '/content', length: 1 },
        { at: '/content/0/text/parts', type: 'array' },
        { at: '/content/0/text/total', equals: 3 },
        { at: '/isError', exists: false },
        { at: '', contains: 'structuredContent' },
      ),
    ).toEqual([]);
  });

  it('reports the found value and the expected one', () => {
    expect(
      failing(
        { at: '/structuredContent/total', equals: 4 },
        { at: '/content/1', exists: true },
        { at: '/content/length', exists: true },
        { at: '/structuredContent', type: 'array' },
        { at: '/toString', exists: true },
      ),
    ).toEqual([3, undefined, undefined, { total: 3 }, undefined]);
  });

  it('checks the outcome and the time', () => {
    const read = readSavedCall({ ...SUM, expect: { outcome: 'tool-error', within: 10 } });
    if (!read.ok) throw new Error(read.error.reason);
    expect(deviations(read.value.expect, { outcome: 'ok', ms: 11, result })).toEqual([
      { kind: 'outcome', expected: 'tool-error', found: 'ok' },
      { kind: 'slow', expected: 10, found: 11 },
    ]);
  });

  it.each([
    [[], '', 'there is no list "checks" in it'],
    [{ checks: [SUM, SUM] }, '/checks/1/name', '"adds" is there twice'],
    [{ checks: [{ ...SUM, name: '' }] }, '/checks/0/name', 'a name is missing'],
    [{ checks: [{ ...SUM, prompt: 'p' }] }, '/checks/0', 'it needs one of'],
    [{ checks: [{ ...SUM, retries: 3 }] }, '/checks/0/retries', 'this is not known'],
    [
      { checks: [{ ...SUM, expect: { outcome: 'fine' } }] },
      '/checks/0/expect/outcome',
      'it is one of',
    ],
    [
      { checks: [{ ...SUM, expect: { values: [{ at: 'x', equals: 1 }] } }] },
      '/checks/0/expect/values/0',
      'it has "at"',
    ],
  ])('is refused with its place in %j', (file, at, reason) => {
    const read = readSavedCalls(file);
    expect(read).toMatchObject({ ok: false, error: { at } });
    expect(!read.ok && read.error.reason).toContain(reason);
  });
});
