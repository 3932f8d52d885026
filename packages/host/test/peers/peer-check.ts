// What every published server must come to through a host: it connects in the era expected, lists its
// tools, and answers a call where it has one that needs nothing from outside.

import { type JsonObject, Scope } from '@plugboard/base';
import { expect } from 'vitest';
import type { WrittenEntry } from '../../src/config/index.ts';
import type { CallOutcome } from '../../src/host/index.ts';
import { toText } from '../../src/output/index.ts';
import { givenHost } from '../host/given-host.ts';

export interface PeerExpectation {
  readonly era: 'legacy' | 'modern';
  readonly protocolVersion: string;
  /** How it introduces itself. */
  readonly server: string;
  /** One of the tools it must list. */
  readonly tool: string;
  readonly call?: {
    readonly tool: string;
    readonly arguments: JsonObject;
    readonly kind: CallOutcome['kind'];
    /** Words in one of its texts. */
    readonly text: string;
  };
}

export async function expectPeer(entry: WrittenEntry, expected: PeerExpectation): Promise<void> {
  await using scope = new Scope();
  const host = await givenHost(scope, { peer: entry });
  const { tools, problems } = await host.tools();
  expect(problems).toEqual([]);
  expect(tools.map(({ tool }) => tool)).toContain(expected.tool);
  expect(host.servers[0]?.state).toMatchObject({
    kind: 'ready',
    era: expected.era,
    protocolVersion: expected.protocolVersion,
    server: { name: expected.server },
  });
  if (expected.call === undefined) return;
  const { tool, arguments: given, kind, text } = expected.call;
  const outcome = await host.call({ server: 'peer', tool }, given);
  expect(outcome.kind).toBe(kind);
  expect('parts' in outcome ? toText(outcome.parts) : '').toContain(text);
}
