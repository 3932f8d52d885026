import { describe, expect, it } from 'vitest';
import { definitionChanges } from '../../src/pins/definition-diff.ts';

const TOOL = {
  name: 'read',
  description: 'Reads.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' }, old: {} } },
};

describe('the difference between two definitions', () => {
  it('is listed part by part, in the order of places', () => {
    const after = {
      name: 'load',
      description: 'Reads.',
      inputSchema: {
        type: 'object',
        properties: { path: { type: 'number' }, __proto__x: { enum: ['a', 1] } },
      },
      annotations: { readOnlyHint: true },
    };
    expect(definitionChanges(TOOL, after)).toEqual([
      { kind: 'added', path: ['annotations', 'readOnlyHint'], after: 'true' },
      {
        kind: 'added',
        path: ['inputSchema', 'properties', '__proto__x', 'enum', '0'],
        after: 'a',
      },
      {
        kind: 'added',
        path: ['inputSchema', 'properties', '__proto__x', 'enum', '1'],
        after: '1',
      },
      { kind: 'removed', path: ['inputSchema', 'properties', 'old'], before: '{}' },
      {
        kind: 'changed',
        path: ['inputSchema', 'properties', 'path', 'type'],
        before: 'string',
        after: 'number',
      },
      { kind: 'changed', path: ['name'], before: 'read', after: 'load' },
    ]);
  });

  it('is empty for equal ones, and the whole of one that was never accepted', () => {
    expect(definitionChanges(TOOL, { ...TOOL })).toEqual([]);
    expect(definitionChanges(undefined, { name: 'a', description: 'A.' })).toEqual([
      { kind: 'added', path: ['description'], after: 'A.' },
      { kind: 'added', path: ['name'], after: 'a' },
    ]);
    expect(definitionChanges(undefined, { name: '', description: 'Do.' })).toEqual([
      { kind: 'added', path: ['description'], after: 'Do.' },
    ]);
  });
});
