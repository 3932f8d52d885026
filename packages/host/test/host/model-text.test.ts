import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { toModelText } from '../../src/host/index.ts';

describe('what a model reads of a call to a server that is not configured', () => {
  verifies('CAL-05');

  it('names the server, and the nearest tool or else the nearest server', () => {
    const unknown = { kind: 'unknown-server', server: 'dosc', tool: 'find' } as const;
    expect(
      [
        { ...unknown, nearest: undefined },
        { ...unknown, nearest: 'docs' },
        { ...unknown, nearest: 'docs', nearestTool: 'mcp__docs__find' },
      ].map(toModelText),
    ).toEqual([
      'There is no server dosc.',
      'There is no server dosc. Did you mean docs?',
      'There is no server dosc. Did you mean mcp__docs__find?',
    ]);
  });
});
