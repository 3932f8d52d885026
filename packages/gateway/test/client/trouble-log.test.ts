import { type LogFields, Scope, systemClock } from '@plugboard/base';
import { ManualClock } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TroubleLog } from '../../src/client/index.ts';
import { ConsoleClient } from '../../src/console-client.ts';
import { openGateway, serverOf } from '../cells.ts';

const SECRET = 'a-secret-of-the-console';

let scope: Scope;
let said: LogFields[];
beforeEach(() => {
  scope = new Scope();
  said = [];
});
afterEach(() => scope.close());

const logger = {
  log(level: string, message: string, fields: LogFields = {}): void {
    if (level === 'warn') said.push({ message, ...fields });
  },
};

describe('the log of a gateway', () => {
  it('has one line a minute about a failing server, with the number of failures', async () => {
    const clock = new ManualClock();
    const log = new TroubleLog(clock, logger);
    for (let time = 0; time < 3; time += 1) log.failed('one', { kind: 'closed' });
    await clock.advance(60_000);
    log.failed('one', { kind: 'closed' });
    const line = {
      message: 'a server failed',
      server: 'one',
      reason: 'closed the connection.',
      next: 'plugboard doctor one',
    };
    expect(said).toEqual([
      { ...line, count: 1 },
      { ...line, count: 3 },
    ]);
  });

  it('names an exhausted resource of the system instead of a diagnosis of the server', () => {
    const log = new TroubleLog(new ManualClock(), logger);
    const message = 'spawn tool EMFILE';
    log.failed('one', { kind: 'spawn-failed', command: 'tool', code: 'EMFILE', message });
    expect(said).toMatchObject([{ next: expect.stringContaining('ulimit -n') as string }]);
  });

  it('reports why a server did not start, and which command helps', async () => {
    const crashing = serverOf('legacy', { exitAtStart: { exit: 3, stderr: 'no licence' } });
    const { connect } = await openGateway(scope, { servers: { crashing } }, { logger });
    const client = await connect('legacy');
    await client.callTool({ name: 'crashing__any' });
    await client.callTool({ name: 'crashing__any' });
    expect(said.filter(({ message }) => message === 'a server failed')).toEqual([
      {
        message: 'a server failed',
        server: 'crashing',
        reason: expect.stringContaining('no licence'),
        next: 'plugboard doctor crashing',
        count: 1,
      },
    ]);
  });

  it('reports a server that ends during a call', async () => {
    const ending = serverOf('legacy', { builtIns: ['exit'] });
    const { connect } = await openGateway(scope, { servers: { ending } }, { logger });
    const client = await connect('legacy');
    await client.callTool({ name: 'ending__exit', arguments: {} });
    expect(said).toMatchObject([{ message: 'a server failed', server: 'ending' }]);
  });

  it('supplies the failure of a server that works for the gateway but not for a client', async () => {
    const address = { console: { secret: SECRET } };
    const one = serverOf('legacy', { builtIns: ['exit', 'echo'] });
    const { connect, url } = await openGateway(scope, { servers: { one } }, { logger, address });
    const console = new ConsoleClient({ url, token: SECRET, clock: systemClock });
    const problems = async (): Promise<unknown> => {
      const state = await console.state(new AbortController().signal);
      return state.ok && state.value.servers.map(({ problem, command }) => ({ problem, command }));
    };
    const client = await connect('legacy');
    await client.listTools();
    expect(await problems()).toEqual([{}]);
    await client.callTool({ name: 'one__exit', arguments: {} });
    expect(await problems()).toEqual([
      { problem: expect.stringContaining('ended'), command: 'plugboard doctor one' },
    ]);
    await client.callTool({ name: 'one__echo', arguments: { message: 'hi' } });
    expect(await problems()).toEqual([{}]);
  });

  it('reports refused clients once, without their token', async () => {
    const address = { tokens: new Map([['a-good-token', 'user']]) };
    const { url } = await openGateway(scope, { servers: {} }, { logger, address });
    const headers = { Authorization: 'Bearer a-wrong-token' };
    for (let time = 0; time < 3; time += 1) {
      expect((await fetch(url, { method: 'POST', headers })).status).toBe(401);
    }
    expect(said).toMatchObject([{ message: 'refused a client', status: 401, count: 1 }]);
    expect(JSON.stringify(said)).not.toContain('a-wrong-token');
  });
});
