import { verifies } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cappedText } from '../../src/catalog/capped-text.ts';
import { toHostTool } from '../../src/catalog/host-tool.ts';

describe('capped text for a model', () => {
  verifies('CAT-04');

  it('is unchanged up to the limit, and cut with a mark beyond', () => {
    expect(cappedText('x'.repeat(2048))).toBe('x'.repeat(2048));
    const cut = cappedText('x'.repeat(2049));
    expect([cut.length, cut.slice(-8)]).toEqual([2048, 'x… [cut]']);
  });

  it('is never cut inside a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 10 }), fc.nat(40), (text, more) => {
        const cut = cappedText('x'.repeat(2000 + more) + text.repeat(5));
        expect(cut.length).toBeLessThanOrEqual(2048);
        expect(() => encodeURIComponent(cut)).not.toThrow();
      }),
    );
  });

  it('of a tool is short, with the complete text beside it', () => {
    const description = '😀'.repeat(2000);
    const tool = toHostTool({
      name: 'mcp__a__b',
      server: 'a',
      tool: 'b',
      definition: { name: 'b', description, inputSchema: { type: 'object' } },
    });
    expect(tool.description.length).toBeLessThanOrEqual(2048);
    expect(tool.fullDescription).toBe(description);
    const short = { name: 'b', description: 'short', inputSchema: { type: 'object' } } as const;
    expect(
      'fullDescription' in toHostTool({ name: 'n', server: 'a', tool: 'b', definition: short }),
    ).toBe(false);
  });
});
