// Approvals that name the asking agent, and that return changed arguments.

import { type JsonObject, Scope } from '@plugboard/base';
import { scriptedServer, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { ApprovalRequest, Approver } from '../../src/host/index.ts';
import { ruledHost } from './ruled-host.ts';

const echo = { server: 's', tool: 'echo' };
const s = scriptedServer({ builtIns: ['echo'] });
const never = { tool: 's/echo', arguments: [{ path: 'message', equals: 'secret' }] };

function changingTo(given: JsonObject): Approver {
  return () => ({ kind: 'allow', arguments: given });
}

describe('arguments that the approver has changed', () => {
  it('are sent', async () => {
    verifies('POL-04');
    await using scope = new Scope();
    const approve = changingTo({ message: 'changed' });
    const { host } = await ruledHost(scope, { user: { mcpServers: { s } } }, { approve });
    expect(await host.call(echo, { message: 'hi' })).toMatchObject({
      kind: 'result',
      parts: [{ text: 'changed' }],
    });
  });

  it('are checked against the schema', async () => {
    await using scope = new Scope();
    const approve = changingTo({ message: 7 });
    const { host } = await ruledHost(scope, { user: { mcpServers: { s } } }, { approve });
    expect(await host.call(echo, { message: 'hi' })).toMatchObject({
      kind: 'invalid-arguments',
      issues: [{ path: '/message' }],
    });
  });

  it('are denied if a rule denies them', async () => {
    verifies('POL-01');
    await using scope = new Scope();
    const permissions = { deny: [never] };
    const { host } = await ruledHost(
      scope,
      { user: { mcpServers: { s }, permissions } },
      { approve: changingTo({ message: 'secret' }) },
    );
    expect(await host.call(echo, { message: 'hi' })).toMatchObject({
      kind: 'denied',
      by: { kind: 'policy' },
    });
  });

  it('are passed to hooks, and a change by a hook needs another approval', async () => {
    await using scope = new Scope();
    const script = `
      let said = '';
      process.stdin.on('data', (piece) => (said += piece)).on('end', () => {
        const message = JSON.parse(said).arguments.message;
        if (message === 'secret') process.stdout.write('{"decision":"block","reason":"not that"}');
        if (message === 'short') process.stdout.write('{"arguments":{"message":"longer"}}');
      });`;
    const hooks = { beforeCall: [{ command: [process.execPath, '-e', script] }] };
    const asked: unknown[] = [];
    const answers: JsonObject[] = [{ message: 'secret' }, { message: 'short' }];
    const approve: Approver = ({ arguments: given }) => {
      asked.push(given);
      const next = answers.shift();
      return next === undefined ? { kind: 'allow' } : { kind: 'allow', arguments: next };
    };
    const { host } = await ruledHost(scope, { user: { mcpServers: { s }, hooks } }, { approve });
    expect(await host.call(echo, { message: 'hi' })).toMatchObject({
      kind: 'denied',
      by: { kind: 'hook' },
    });
    expect(await host.call(echo, { message: 'ho' })).toMatchObject({
      kind: 'result',
      parts: [{ text: 'longer' }],
    });
    expect(asked).toEqual([{ message: 'hi' }, { message: 'ho' }, { message: 'longer' }]);
  });
});

it('an approval request names the agent and the call', async () => {
  verifies('AGT-04');
  await using scope = new Scope();
  const asked: ApprovalRequest[] = [];
  const approve: Approver = (request) => {
    asked.push(request);
    return { kind: 'allow' };
  };
  const { host } = await ruledHost(scope, { user: { mcpServers: { s } } }, { approve });
  await host.call(echo, { message: 'hi' }, { asker: 'scout', callId: 'c1' });
  await host.call(echo, { message: 'hi' });
  expect(asked.map(({ asker, callId }) => ({ asker, callId }))).toEqual([
    { asker: 'scout', callId: 'c1' },
    { asker: undefined, callId: undefined },
  ]);
});
