import { verifies } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findDuplicates, type SignedServer, signatureOf } from '../../src/admission/duplicates.ts';
import type { Scope } from '../../src/config/index.ts';

describe('the signature of a server', () => {
  verifies('CFG-09');
  const command = (...argv: string[]) => signatureOf({ kind: 'command', argv });
  const url = (address: string) => signatureOf({ kind: 'url', url: address });

  it('is the same for the same command and for the same address in any spelling', () => {
    expect(command('npx', '-y', 'a')).toBe(command('npx', '-y', 'a'));
    expect(url('https://Example.com:443/a/../mcp#x')).toBe(url('https://example.com/mcp'));
  });

  it('differs for everything else', () => {
    const all = [
      command('npx', 'a b'),
      command('npx', 'a', 'b'),
      command('npx a b'),
      command('url', 'https', 'a.com', '443', '/', ''),
      url('https://a.com/'),
      url('http://a.com/'),
      url('https://a.com:8443/'),
      url('https://a.com/mcp'),
      url('https://a.com/?x'),
    ];
    expect(new Set(all).size).toBe(all.length);
  });

  it('is undefined for a server of the program and for an invalid address', () => {
    expect([signatureOf({ kind: 'none' }), url('${URL}')]).toEqual([undefined, undefined]);
  });
});

describe('duplicate servers', () => {
  verifies('CFG-09');

  it('are suppressed by a server configured by hand', () => {
    const servers: SignedServer[] = [
      { name: 'plugin:b:x', scope: 'plugin', signature: 's' },
      { name: 'hub', scope: 'connector', signature: 's' },
      { name: 'mine', scope: 'user', signature: 's' },
      { name: 'other', scope: 'user', signature: 's' },
      { name: 'plugin:b:y', scope: 'plugin', signature: 't' },
      { name: 'plugin:c:z', scope: 'plugin', signature: undefined },
      { name: 'plugin:d:z', scope: 'plugin', signature: undefined },
    ];
    expect([...findDuplicates(servers)]).toEqual([
      ['hub', 'mine'],
      ['plugin:b:x', 'mine'],
    ]);
  });

  it('of plugins leave the one of the stronger scope, then the first by name', () => {
    const servers: SignedServer[] = [
      { name: 'plugin:b:x', scope: 'plugin', signature: 's' },
      { name: 'a', scope: 'connector', signature: 's' },
      { name: 'plugin:a:x', scope: 'plugin', signature: 's' },
    ];
    expect([...findDuplicates(servers)]).toEqual([
      ['a', 'plugin:a:x'],
      ['plugin:b:x', 'plugin:a:x'],
    ]);
  });

  const scopes: readonly Scope[] = [
    'enterprise',
    'dynamic',
    'local',
    'project',
    'user',
    'plugin',
    'connector',
  ];
  const servers = fc.uniqueArray(
    fc.record({
      name: fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 3 }),
      scope: fc.constantFrom(...scopes),
      signature: fc.constantFrom('s', 't', undefined),
    }),
    { selector: ({ name }) => name },
  );

  it('are suppressed except for one of each, and never if configured by hand', () => {
    fc.assert(
      fc.property(servers, (all) => {
        const found = findDuplicates(all);
        const byName = new Map(all.map((server) => [server.name, server]));
        for (const [name, by] of found) {
          expect(['plugin', 'connector']).toContain(byName.get(name)?.scope);
          expect(found.has(by)).toBe(false);
          expect(byName.get(by)?.signature).toBe(byName.get(name)?.signature);
        }
        const brought = all.filter(
          ({ name, scope }) => (scope === 'plugin' || scope === 'connector') && !found.has(name),
        );
        for (const kept of brought.filter(({ signature }) => signature !== undefined)) {
          const same = all.filter(
            ({ name, signature }) => signature === kept.signature && !found.has(name),
          );
          expect(same).toEqual([kept]);
        }
      }),
    );
  });

  it('are the same in any order', () => {
    const shuffled = servers.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    fc.assert(
      fc.property(shuffled, ([all, other]) => {
        expect([...findDuplicates(other)]).toEqual([...findDuplicates(all)]);
      }),
    );
  });
});
