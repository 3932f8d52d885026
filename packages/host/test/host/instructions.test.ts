import { Scope } from '@plugboard/base';
import { scriptedServer, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { givenHost } from './given-host.ts';

describe('the instructions of a server', () => {
  it.each(['legacy', 'modern'] as const)(
    'are short enough for a model, with the complete text beside them: %s',
    async (era) => {
      verifies('CAT-04');
      await using scope = new Scope();
      const long = 'Do this. '.repeat(1000);
      const entry = (instructions: string) => ({
        ...scriptedServer({ instructions, eras: [era] }),
        protocol: era,
      });
      const host = await givenHost(scope, { long: entry(long), short: entry('Be brief.') });
      await host.tools();
      const [first, second] = host.servers.map(({ state }) => state);
      if (first?.kind !== 'ready' || second?.kind !== 'ready') throw new Error('not ready');
      expect(first.instructions).toHaveLength(2048);
      expect(first.instructions?.endsWith('… [cut]')).toBe(true);
      expect(first.fullInstructions).toBe(long);
      expect([second.instructions, 'fullInstructions' in second]).toEqual(['Be brief.', false]);
    },
  );
});
