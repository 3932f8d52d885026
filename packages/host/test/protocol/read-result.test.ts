import { describe, expect, it } from 'vitest';
import { readToolPage } from '../../src/protocol/read-primitives.ts';

describe('a list of tools', () => {
  it.each([[{ name: 'bare' }], [{ name: 'bare', inputSchema: null }]])(
    'keeps %j, whose schema is missing since it takes no arguments',
    (tool) => {
      expect(readToolPage({ tools: [tool] })).toEqual({
        ok: true,
        value: {
          items: [{ name: 'bare', inputSchema: { type: 'object' } }],
          rejected: [],
          nextCursor: undefined,
        },
      });
    },
  );

  it.each([
    [{ inputSchema: {} }, '(unnamed)', 'has no name'],
    [{ name: 'odd', inputSchema: 'none' }, 'odd', 'has an inputSchema that is not an object'],
    [{ name: 'odd', inputSchema: [] }, 'odd', 'has an inputSchema that is not an object'],
    ['text', 'text', 'is not an object'],
    [5, '(unnamed)', 'is not an object'],
  ])('leaves out %j and keeps its neighbours', (broken, name, reason) => {
    expect(readToolPage({ tools: [broken, { name: 'sound', inputSchema: {} }] })).toEqual({
      ok: true,
      value: {
        items: [{ name: 'sound', inputSchema: {} }],
        rejected: [{ name, reason }],
        nextCursor: undefined,
      },
    });
  });
});
