import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifies } from '@plugboard/testkit';
import { definitionHash } from '../../src/pins/definition-hash.ts';

const TOOL = {
  name: 'read',
  title: 'Read',
  description: 'Reads a file.',
  inputSchema: { type: 'object', properties: { path: { type: 'string', enum: ['a', 'b'] } } },
  outputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
};

/** The same value with the keys of all objects in reverse order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, item]) => [key, turned(item)]),
  );
}

describe('the hash of a definition', () => {
  verifies('POL-05');

  it('is the same in whatever order its keys come', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (inputSchema) => {
        const tool = { ...TOOL, inputSchema };
        const other = turned(tool) as typeof tool;
        expect(definitionHash(other)).toBe(definitionHash(tool));
      }),
    );
  });

  it('differs for another value, however similar', () => {
    const hashes = [
      TOOL,
      { ...TOOL, title: 'read' },
      { ...TOOL, description: 'Reads a file. ' },
      { ...TOOL, description: 'Reads a\u200B file.' },
      { ...TOOL, inputSchema: { ...TOOL.inputSchema, required: [] } },
      { ...TOOL, inputSchema: { type: 'object', properties: { path: { enum: ['b', 'a'] } } } },
      { ...TOOL, inputSchema: { '["type"': 'object' } },
      { ...TOOL, outputSchema: {} },
      { ...TOOL, annotations: { readOnlyHint: false } },
      { ...TOOL, annotations: {} },
      { name: 'read' },
      { name: 'read', description: '' },
    ].map(definitionHash);
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(hashes.every((hash) => /^[0-9a-f]{64}$/.test(hash))).toBe(true);
  });

  it('does not depend on its name, nor on fields that no model reads', () => {
    expect(definitionHash({ ...TOOL, name: 'load' })).toBe(definitionHash(TOOL));
    expect(definitionHash({ ...TOOL, ...{ _meta: { a: 1 }, icons: [] } })).toBe(
      definitionHash(TOOL),
    );
    expect(definitionHash({ ...TOOL, ...{ execution: undefined } })).toBe(definitionHash(TOOL));
  });
});
