// Which calls of a chat need approval: those of agents always, whatever their name; those of the user only if a rule demands it.

import { never, Scope } from '@plugboard/base';
import { createHost, type Host } from '@plugboard/host';
import { hostEnvironment } from '@plugboard/host/configuration';
import { inProcessServer } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { Approvals } from '../../src/chat/approvals.ts';
import type { PendingApproval } from '../../src/chat/chat.ts';
import { callText } from '../../src/chat/direct.ts';

interface GivenHost {
  readonly host: Host;
  readonly asked: PendingApproval[];
}

/** The approver declines everything. */
async function given(scope: Scope, permissions: Record<string, unknown> = {}): Promise<GivenHost> {
  const asked: PendingApproval[] = [];
  const approvals = new Approvals((event) => {
    if (event.kind !== 'approval') return;
    asked.push(event.approval);
    // The desk knows the id only after the event.
    queueMicrotask(() => approvals.answer(event.approval.id, { kind: 'deny', reason: 'no' }));
  }, hostEnvironment());
  const host = scope.use(
    await createHost({
      inProcess: { some: await inProcessServer() },
      files: 'none',
      permissions,
      approve: (request) => approvals.approve(request, () => Promise.resolve(undefined)),
    }),
  );
  return { host, asked };
}

const ECHO = { server: 'some', tool: 'echo', given: ['message=hi'] };

describe('approvals in a chat', () => {
  it.each(['you', 'agent', 'helper'])(
    'are needed for a call of an agent called %s',
    async (asker) => {
      await using scope = new Scope();
      const { host, asked } = await given(scope);
      const outcome = await host.call(
        { server: 'some', tool: 'echo' },
        { message: 'hi' },
        { asker },
      );
      expect(outcome.kind).toBe('denied');
      expect(asked).toMatchObject([{ server: 'some', tool: 'echo', asker }]);
    },
  );

  it("are not needed for the user's own call", async () => {
    await using scope = new Scope();
    const { host, asked } = await given(scope);
    expect(await callText(host, ECHO, never)).toMatchObject({ kind: 'shown' });
    expect(asked).toEqual([]);
  });

  it("are needed for the user's own call if a rule demands it", async () => {
    await using scope = new Scope();
    const { host, asked } = await given(scope, { ask: ['some/echo'] });
    expect(await callText(host, ECHO, never)).toMatchObject({ kind: 'problem' });
    expect(asked).toMatchObject([{ asker: 'you' }]);
  });
});
