import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { letsThrough } from '../../src/catalog/catalog.ts';
import { Catalog, type ServerOffer } from '../../src/catalog/index.ts';

function offer(server: string, tools: readonly string[], filter = {}): ServerOffer {
  const definitions = tools.map((name) => ({ name, inputSchema: { type: 'object' } }));
  return { server, tools: definitions, filter };
}

describe('the catalogue', () => {
  it('is byte for byte the same in whatever order servers and tools arrive', () => {
    verifies('CAT-02');
    const forward = new Catalog([offer('a', ['x', 'y']), offer('b', ['x'])]);
    const backward = new Catalog([offer('b', ['x']), offer('a', ['y', 'x'])]);
    expect(JSON.stringify(backward.tools)).toBe(JSON.stringify(forward.tools));
    expect(forward.tools.map(({ name }) => name)).toEqual(['mcp__a__x', 'mcp__a__y', 'mcp__b__x']);
  });

  it('finds tools with names like object members', () => {
    verifies('CAT-01');
    const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];
    const catalog = new Catalog([offer('__proto__', names)]);
    for (const tool of names) {
      const found = catalog.byIdentity({ server: '__proto__', tool });
      expect(found?.tool).toBe(tool);
      expect(catalog.byName(found?.name ?? '')).toBe(found);
    }
    expect(catalog.byIdentity({ server: 'constructor', tool: 'x' })).toBeUndefined();
    expect(catalog.byName('constructor')).toBeUndefined();
  });

  it('leaves out the tools that an entry excludes', () => {
    const filter = { include: [['read_*', 'write_*']], exclude: ['*_secret'] };
    const tools = ['read_file', 'read_secret', 'write_file', 'delete_file'];
    const catalog = new Catalog([offer('s', tools, filter)]);
    expect(catalog.tools.map(({ tool }) => tool)).toEqual(['read_file', 'write_file']);
  });
});

describe('a tool filter', () => {
  it('lets every tool through by default', () => {
    expect(letsThrough({}, 'x')).toBe(true);
    expect(letsThrough({ include: [[]] }, 'x')).toBe(false);
  });
});
