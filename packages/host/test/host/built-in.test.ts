// Decisions without a rule about built-in servers under their reserved names.

import { Scope } from '@plugboard/base';
import { inProcessServer, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { type ApprovalRequest, denyAll } from '../../src/index.ts';
import { givenHost } from './given-host.ts';

describe('a built-in server', () => {
  verifies('POL-03', 'AGT-08');

  it.each([
    ['codebase', 'result', []],
    ['workspace', 'denied', [{ tool: { server: 'workspace', tool: 'echo' } }]],
  ])('named %s has its own approval rule', async (name, kind, asks) => {
    await using scope = new Scope();
    const asked: ApprovalRequest[] = [];
    const host = await givenHost(
      scope,
      {},
      {
        inProcess: { [name]: await inProcessServer() },
        approve: (request) => {
          asked.push(request);
          return denyAll(request);
        },
      },
    );
    const outcome = await host.call({ server: name, tool: 'echo' }, { message: 'hi' });
    expect(outcome.kind).toBe(kind);
    expect(asked).toMatchObject(asks);
    expect(asked).toHaveLength(asks.length);
  });
});
