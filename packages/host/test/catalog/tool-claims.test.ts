import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { claimsOf, toHostTool } from '../../src/catalog/index.ts';

const NOTHING = {
  isReadOnly: false,
  isConcurrencySafe: false,
  isDestructive: true,
  isIdempotent: false,
  isOpenWorld: true,
};

describe('the annotations of a tool', () => {
  verifies('CAT-05');

  it.each([
    [undefined, NOTHING],
    [{}, NOTHING],
    [
      { readOnlyHint: true },
      {
        ...NOTHING,
        isReadOnly: true,
        isConcurrencySafe: true,
        isDestructive: false,
        isIdempotent: true,
      },
    ],
    [{ readOnlyHint: true, destructiveHint: true }, NOTHING],
    [{ destructiveHint: false }, { ...NOTHING, isDestructive: false }],
    // Setting a value twice is harmless; setting two values in parallel is not.
    [{ idempotentHint: true }, { ...NOTHING, isIdempotent: true }],
    [{ openWorldHint: false }, { ...NOTHING, isOpenWorld: false }],
  ])('%j become flags, by the defaults of the protocol', (annotations, flags) => {
    expect(claimsOf(annotations)).toEqual(flags);
  });

  it('are in every host tool, with the title', () => {
    const annotations = { title: 'Look', readOnlyHint: true };
    const definition = { name: 'look', inputSchema: {}, annotations };
    expect(
      toHostTool({ name: 'mcp__s__look', server: 's', tool: 'look', definition }),
    ).toMatchObject({ title: 'Look', isReadOnly: true, isConcurrencySafe: true });
  });
});
