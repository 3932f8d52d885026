import { join } from 'node:path';
import { tempFolder } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { brokerTerms, type SharedLaunch } from '../../../src/protocol/shared/broker-terms.ts';
import type { BrokerTerms } from '../../../src/protocol/shared/terms.ts';

async function termsOf(folder: string, changed: object = {}): Promise<BrokerTerms> {
  const launch: SharedLaunch = {
    kind: 'stdio',
    command: 'node',
    args: ['a'],
    env: { A: '1' },
    cwd: '/',
    era: 'auto',
    shared: {
      ...{ name: 'x', place: '/', fingerprint: 'f', ledger: '/ledger', version: '1' },
      folder: join(folder, 'sockets'),
      idleMs: 1000,
      grants: { elicit: true, sample: false, roots: false },
    },
    ...changed,
  };
  const terms = await brokerTerms(launch, undefined);
  if (!terms.ok) throw new Error(terms.error.kind);
  return terms.value;
}

describe('the terms of a shared server', () => {
  it('are the same for hosts that start it in the same way', async () => {
    await using folder = await tempFolder();
    expect(await termsOf(folder.path)).toEqual(await termsOf(folder.path, { era: 'legacy' }));
  });

  it.each([
    ['another program', { command: 'deno' }],
    ['other arguments', { args: ['b'] }],
    ['another variable', { env: { A: '2' } }],
    ['another folder', { cwd: '/tmp' }],
    ['another era', { era: 'modern' }],
    // New fields of a process must be added here.
    ['anything else about its process', { priority: 5 }],
  ])('differ for %s', async (_, changed) => {
    await using folder = await tempFolder();
    const [usual, other] = [await termsOf(folder.path), await termsOf(folder.path, changed)];
    expect(other.socket).not.toBe(usual.socket);
    expect(other.proof).not.toBe(usual.proof);
    expect(other).toMatchObject(changed);
  });
});
