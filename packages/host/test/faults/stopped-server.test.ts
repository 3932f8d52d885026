import { Scope } from '@plugboard/base';
import { atSomePace, isAlive, scriptedServer, verifies, waitUntil } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { Host } from '../../src/host/index.ts';
import { givenHost } from '../host/given-host.ts';

async function pidOf(host: Host): Promise<number> {
  const outcome = await host.call({ server: 's', tool: 'pids' }, {});
  const part = outcome.kind === 'result' ? outcome.parts[0] : undefined;
  if (part?.kind !== 'structured') throw new Error(`no pids: ${JSON.stringify(outcome)}`);
  return (part.value as { pid: number }).pid;
}

describe('a server that is stopped (SIGSTOP)', () => {
  it.each(['legacy', 'modern'] as const)(
    'fails calls by their idle deadline, and answers again when continued (%s)',
    async (protocol) => {
      verifies('CON-04');
      await atSomePace(async (timeout) => {
        await using scope = new Scope();
        const host = await givenHost(scope, { s: { ...scriptedServer(), protocol, timeout } });
        const pid = await pidOf(host);
        process.kill(pid, 'SIGSTOP');
        const began = performance.now();
        expect(await host.call({ server: 's', tool: 'echo' }, { message: 'lost' })).toEqual({
          kind: 'timeout',
          server: 's',
          tool: 'echo',
          ms: timeout,
        });
        expect(performance.now() - began).toBeGreaterThanOrEqual(timeout - 1);
        process.kill(pid, 'SIGCONT');
        expect(await host.call({ server: 's', tool: 'echo' }, { message: 'back' })).toMatchObject({
          kind: 'result',
          parts: [{ kind: 'text', text: 'back' }],
        });
        expect(await pidOf(host)).toBe(pid);
      });
    },
  );

  it('is still ended with its host', async () => {
    verifies('CON-10');
    await using scope = new Scope();
    const host = await givenHost(scope, { s: scriptedServer({ grandchildren: 1 }) });
    const pid = await pidOf(host);
    process.kill(-pid, 'SIGSTOP');
    await host.close();
    // The kernel takes its time for SIGKILL on a busy machine, and close() does not wait for it without end.
    await waitUntil(() => !isAlive(pid), { describe: 'the stopped server to end' });
  });

  it('does not delay calls to other servers', async () => {
    verifies('CON-03');
    await using scope = new Scope();
    const host = await givenHost(scope, {
      s: scriptedServer(),
      other: scriptedServer(),
    });
    await host.tools();
    const pid = await pidOf(host);
    process.kill(pid, 'SIGSTOP');
    const order: string[] = [];
    const stopped = host
      .call({ server: 's', tool: 'echo' }, { message: 'x' })
      .then(() => order.push('stopped'));
    await host.call({ server: 'other', tool: 'echo' }, { message: 'x' });
    order.push('other');
    process.kill(pid, 'SIGCONT');
    await stopped;
    expect(order).toEqual(['other', 'stopped']);
  });
});
