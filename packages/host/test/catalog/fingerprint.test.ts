import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fingerprintOf } from '../../src/catalog/fingerprint.ts';
import { LAUNCH_KEYS, rowOf } from '../../src/config/fields/entry-fields.ts';
import { readEntry } from '../../src/config/merge/read-entry.ts';
import type { ServerEntry } from '../../src/config/index.ts';

const common = { disabled: false, required: false, alwaysLoad: false };
const local: ServerEntry = {
  ...common,
  kind: 'stdio',
  command: 'npx',
  args: ['server'],
  env: { A: '1', B: 'tops3cret' },
};
const remote: ServerEntry = {
  ...common,
  kind: 'http',
  url: 'https://example.com/mcp',
  headers: { Authorization: 'Bearer tops3cret' },
};

describe('the fingerprint of a server', () => {
  it('is the same for the same server, whatever else its entry contains', () => {
    const first = fingerprintOf(local, '/here');
    const env = { B: 'tops3cret', A: '1' };
    expect(fingerprintOf({ ...local, env, timeout: 5, required: true }, '/here')).toBe(first);
    expect(fingerprintOf(local, '/here')).toMatch(/^[0-9a-f]{40}$/);
  });

  it('differs if another program could answer, or answer for another user', () => {
    const others: readonly ServerEntry[] = [
      local,
      { ...local, command: 'other' },
      { ...local, args: ['server', 'more'] },
      { ...local, env: { A: '1', B: 'other' } },
      { ...local, cwd: '/there' },
      remote,
      { ...remote, kind: 'sse' },
      { ...remote, url: 'https://example.com/other' },
      { ...remote, headers: {} },
      { ...remote, headers: { Authorization: 'Bearer other' } },
    ];
    const prints = others.map((entry) => fingerprintOf(entry, '/here'));
    expect(new Set(prints).size).toBe(others.length);
    expect(fingerprintOf(local, '/elsewhere')).not.toBe(fingerprintOf(local, '/here'));
  });

  it.each(LAUNCH_KEYS.map((key) => [key, rowOf(key)] as const))(
    'differs with every field that decides what is started or reached: %s',
    (key, { example, of }) => {
      const target =
        of === 'stdio' ? { command: 'other' } : { type: 'sse', url: 'https://other.example' };
      const printOf = (fields: object): string | undefined => {
        const { entry } = readEntry({ ...target, ...fields });
        return entry && fingerprintOf(entry, '/here');
      };
      const stated = JSON.parse(`{ ${example} }`) as Readonly<Record<string, unknown>>;
      expect(Object.keys(stated)).toEqual([key]);
      expect(printOf(stated)).toMatch(/^[0-9a-f]{40}$/);
      expect(printOf(stated)).not.toBe(printOf({}));
    },
  );

  it('distinguishes arguments that only look alike when joined', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.array(fc.string()), (one, other) => {
        const same = JSON.stringify(one) === JSON.stringify(other);
        const prints = [one, other].map((args) => fingerprintOf({ ...local, args }, '/'));
        expect(prints[0] === prints[1]).toBe(same);
      }),
    );
  });

  it('is undefined for a server of the program itself', () => {
    expect(fingerprintOf({ ...common, kind: 'sdk' }, '/here')).toBeUndefined();
  });
});
