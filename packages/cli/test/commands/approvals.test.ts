// A gateway in the process of the test, and the command that answers its pending items.

import { PassThrough } from 'node:stream';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Scope } from '@plugboard/base';
import { createGateway } from '@plugboard/gateway';
import type { HostEnvironment } from '@plugboard/host/configuration';
import { scriptedServer, verifies, waitUntil } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { consoleToken } from '../../src/commands/gateway-token.ts';
import { noteGateway } from '../../src/commands/running-gateways.ts';
import { KeptOutput, runInProcess } from '../command-in-process.ts';
import { type Sandbox, sandbox, VERSION } from '../sandbox.ts';
import { startInMemory, type TerminalInMemory } from '../terminal-in-memory.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

interface Gatewayed {
  readonly box: Sandbox;
  readonly url: string;
  /** A client that cannot answer questions itself. */
  readonly client: Client;
  readonly connect: () => Promise<Client>;
}

async function gatewayed(): Promise<Gatewayed> {
  const box = scope.use(await sandbox({}));
  const { home } = box;
  const environment: HostEnvironment = {
    env: box.env,
    cwd: box.project,
    home,
    platform: process.platform,
    paths: {
      home,
      config: `${home}/.config/plugboard`,
      state: `${home}/.state/plugboard`,
      cache: `${home}/.cache/plugboard`,
    },
  };
  const gateway = scope.use(
    await createGateway({
      host: { environment, servers: { one: scriptedServer({ asking: true }) } },
    }),
  );
  const secret = await consoleToken(environment);
  const { url } = await gateway.listen({ console: { secret } });
  const facts = { url, tokenFile: undefined, keptBy: undefined, options: [] };
  scope.use(await noteGateway(environment, facts));
  const connect = async (): Promise<Client> => {
    const client = new Client({ name: 'a client', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    scope.defer(() => client.close());
    return client;
  };
  return { box, url, client: await connect(), connect };
}

/** A person who runs the command on a terminal. */
async function watching({ box, url }: Gatewayed, rows = 60): Promise<TerminalInMemory> {
  const terminal = startInMemory(['approvals'], {
    cwd: box.project,
    env: { ...box.env, NO_COLOR: '1', TERM: 'dumb' },
    version: VERSION,
    columns: 100,
    rows,
  });
  await terminal.waitFor(`Waiting for what ${url} asks.`);
  return terminal;
}

const ECHO = { name: 'one__echo', arguments: { message: 'hi', 'rm -rf \u202E/': true } };
const textOf = (result: unknown): string => JSON.stringify(result);

async function isWatched({ box }: Gatewayed): Promise<void> {
  // The feed is open once a call of the client is pending.
  const status = async (): Promise<string> => (await box.run(['status', '--json'])).stdout;
  await waitUntil(async () => (await status()).includes('"kind": "approval"'), {
    describe: 'a call that waits',
  });
}

describe('plugboard approvals', () => {
  verifies('GWY-03');

  it('shows the client and the exact call, and sends each possible answer', async () => {
    const world = await gatewayed();
    const { client } = world;
    expect(textOf(await client.callTool(ECHO))).toContain('plugboard permissions one/echo --allow');
    const terminal = await watching(world);
    const first = client.callTool(ECHO);
    const screen = await terminal.waitFor('Let it run?');
    expect(screen).toContain(
      [
        'For the client "a client":',
        'Call tool "echo" of server "one" with',
        '  message = "hi"',
        String.raw`  rm -rf \u202e/ = true`,
        'Asked because no rule allows it.',
        '',
      ].join('\n'),
    );
    terminal.write('n\n');
    await terminal.waitFor('Denied.');
    expect(textOf(await first)).toContain('the user said no');
    const second = client.callTool(ECHO);
    await terminal.waitFor('Let it run?', { from: terminal.text.length });
    terminal.write('u\n');
    await terminal.waitFor('Allowed until the gateway stops.');
    expect(textOf(await second)).toContain('hi');
    expect(textOf(await client.callTool(ECHO))).toContain('hi');
    terminal.write('\u0003');
    expect((await terminal.exited).code).toBe(0);
  });

  it('ignores text that was typed before a question', async () => {
    const world = await gatewayed();
    const terminal = await watching(world);
    terminal.write('y\n');
    const called = world.client.callTool(ECHO);
    await terminal.waitFor('Let it run?');
    await isWatched(world);
    terminal.write('\n');
    expect(textOf(await called)).toContain('the user said no');
    terminal.write('\u0003');
    await terminal.exited;
  });

  it('withdraws a question that is answered elsewhere or whose call is cancelled', async () => {
    const world = await gatewayed();
    const terminal = await watching(world);
    const giveUp = new AbortController();
    const called = world.client.callTool(ECHO, { signal: giveUp.signal });
    await terminal.waitFor('Let it run?');
    giveUp.abort();
    await expect(called).rejects.toThrow();
    await terminal.waitFor('It was answered elsewhere, or withdrawn.');
    terminal.write('\u0003');
    expect((await terminal.exited).code).toBe(0);
  });

  it('answers a form of a server for a client that cannot show forms', async () => {
    const world = await gatewayed();
    const terminal = await watching(world);
    const params = {
      message: 'Who are you?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
    };
    const asking = { method: 'elicitation/create', params };
    // The capabilities of the client are fixed when it connects.
    const client = await world.connect();
    const called = client.callTool({ name: 'one__ask', arguments: asking });
    await terminal.waitFor('Let it run?');
    terminal.write('y\n');
    await terminal.waitFor('Answer?');
    terminal.write('y\n');
    await terminal.waitFor('name');
    terminal.write('Ada\n');
    await terminal.waitFor('Send them?');
    terminal.write('y\n');
    await terminal.waitFor('Sent.');
    expect(textOf(await called)).toContain('Ada');
    terminal.write('\u0003');
    await terminal.exited;
  });

  it('prints pending items for a program and reads its answers, one per line', async () => {
    const { box, url, client } = await gatewayed();
    const [stdin, stdout, stderr] = [new PassThrough(), new KeptOutput(), new KeptOutput()];
    const setup = { cwd: box.project, env: box.env, version: VERSION, stdin, stdout, stderr };
    const ended = runInProcess(['approvals', '--json'], setup);
    await stdout.says('"watching"');
    const called = client.callTool(ECHO);
    const [, id] = /"id":"([^"]+)"/.exec(await stdout.says('"waiting"')) ?? [];
    const say = (answer: object): void => void stdin.write(`${JSON.stringify(answer)}\n`);
    say({ id: 'none' });
    await stdout.says('"usage"');
    say({ id, kind: 'allow', remember: 'for ever' });
    await stdout.says('"refused"');
    say({ id, kind: 'allow', remember: 'once' });
    expect(textOf(await called)).toContain('hi');
    await stdout.says('"answered"');
    stdin.end();
    expect([await ended, stderr.text]).toEqual([0, '']);
    const events = stdout.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(events).toMatchObject([
      { kind: 'watching', url },
      { kind: 'waiting', url, waiting: { kind: 'approval', server: 'one', tool: 'echo' } },
      { kind: 'error', error: { kind: 'usage' } },
      { kind: 'error', error: { kind: 'refused' } },
      { kind: 'answered', id, answer: 'allow' },
    ]);
  });

  it('reports that it needs a terminal', async () => {
    await using box = await sandbox({});
    const run = await box.run(['approvals']);
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('plugboard approvals --json');
  });
});
