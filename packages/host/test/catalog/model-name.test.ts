import { verifies } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignNames, type ToolIdentity } from '../../src/catalog/model-name.ts';

/** Names that are likely to collide, to be too long, or to be unusual. */
const word = fc.oneof(
  fc.constantFrom('a', 'a__b', 'b', '_', '__', 'a.b', 'a/b', 'a b', 'constructor', '__proto__'),
  fc.string({ minLength: 1, maxLength: 100 }),
);
const identities = fc.uniqueArray(fc.record({ server: word, tool: word }), {
  maxLength: 30,
  selector: ({ server, tool }) => JSON.stringify([server, tool]),
});

function namesOf(tools: readonly ToolIdentity[]): Record<string, string> {
  return Object.fromEntries(
    [...assignNames(tools)].map(([name, { server, tool }]) => [`${server} ${tool}`, name]),
  );
}

describe('model names', () => {
  it('lead back to their own tool, and suit every provider', () => {
    verifies('CAT-01');
    fc.assert(
      fc.property(identities, (tools) => {
        const named = assignNames(tools);
        expect(new Set(named.values())).toEqual(new Set(tools));
        for (const name of named.keys()) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      }),
    );
  });

  it('do not depend on the order in which tools are found', () => {
    verifies('CAT-02');
    fc.assert(
      fc.property(identities, (tools) => {
        expect([...assignNames(tools.toReversed())]).toEqual([...assignNames(tools)]);
      }),
    );
  });

  it('are unchanged if possible', () => {
    expect(namesOf([{ server: 'github', tool: 'create_issue' }])).toEqual({
      'github create_issue': 'mcp__github__create_issue',
    });
  });

  it('replace characters that providers refuse', () => {
    expect(namesOf([{ server: 'a.b', tool: 'x/y z\n' }])).toEqual({
      'a.b x/y z\n': 'mcp__a_b__x_y_z_',
    });
  });

  it('are cut and get a suffix when too long', () => {
    const tool = 'x'.repeat(300);
    const [name = ''] = Object.values(namesOf([{ server: 's', tool }]));
    expect(name).toMatch(/^mcp__s__x{43}_[0-9a-f]{12}$/);
    expect(name).toHaveLength(64);
  });

  it('get a suffix for all tools that would share one, so that none takes over another', () => {
    const names = Object.values(
      namesOf([
        { server: 'a', tool: 'b__c' },
        { server: 'a__b', tool: 'c' },
      ]),
    );
    expect(names).toHaveLength(2);
    for (const name of names) expect(name).toMatch(/^mcp__a__b__c_[0-9a-f]{12}$/);
  });

  it('cannot be stolen by a tool named like the suffixed name of another', () => {
    const pair = [
      { server: 'a', tool: 'b__c' },
      { server: 'a__b', tool: 'c' },
    ];
    const [marked = ''] = assignNames(pair).keys();
    const thief = { server: 'a', tool: marked.replace('mcp__a__', '') };
    const named = assignNames([...pair, thief]);
    expect(named.size).toBe(3);
    expect(named.get(marked)).toBe(pair[0]);
  });
});
