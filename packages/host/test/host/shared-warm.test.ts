import { Scope } from '@plugboard/base';
import { scriptedServer, verifies, waitUntil } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { Host, HostOptions } from '../../src/host/index.ts';
import { callUnderWay, pidOf, type SharedHosts, sharedHosts, textOf } from './shared-hosts.ts';

type Script = NonNullable<Parameters<typeof scriptedServer>[0]>;

/** A host that connects to a server that already works for another host, which may stay. */
async function warmHost(
  scope: Scope,
  script: Script,
  options: Partial<HostOptions> & { readonly stays?: Host[] } = {},
): Promise<{ readonly host: Host; readonly hosts: SharedHosts }> {
  const hosts = await sharedHosts(scope);
  const entry = { s: { ...scriptedServer(script), shared: true } };
  const { stays, ...given } = options;
  const first = await hosts.host(entry);
  await pidOf(first);
  if (stays === undefined) await first.close();
  else stays.push(first);
  return { host: await hosts.host(entry, given), hosts };
}

describe('a host that connects to a running shared server', () => {
  verifies('CON-12');

  it('gets the identity of the server without a new handshake', async () => {
    await using scope = new Scope();
    const serverInfo = { name: 'known', version: '7' };
    const { host } = await warmHost(scope, { serverInfo, instructions: 'be kind' });
    await host.tools({ fresh: true });
    expect(host.servers[0]?.state).toMatchObject({
      kind: 'ready',
      era: 'legacy',
      protocolVersion: '2025-11-25',
      server: serverInfo,
      instructions: 'be kind',
    });
  });

  it('lists, calls with progress, reads, and receives failures', async () => {
    await using scope = new Scope();
    const library = {
      resources: [{ uri: 'n://a', name: 'a', text: 'a note' }],
      prompts: [{ name: 'p', messages: [] }],
    };
    const { host } = await warmHost(scope, { library });
    expect((await host.tools({ fresh: true })).problems).toEqual([]);
    const seen: number[] = [];
    const slept = await host.call(
      { server: 's', tool: 'sleep' },
      { ms: 1, steps: 3 },
      { onProgress: ({ progress }) => void seen.push(progress) },
    );
    expect(textOf(slept)).toBe('slept 1 ms');
    expect(seen).toEqual([1, 2, 3]);
    expect(JSON.stringify(await host.resources.read({ server: 's', uri: 'n://a' }))).toContain(
      'a note',
    );
    expect((await host.prompts.list()).prompts).toMatchObject([{ prompt: 'p' }]);
    expect(await host.call({ server: 's', tool: 'rpc-error' }, {})).toMatchObject({
      kind: 'protocol-error',
      failure: { kind: 'rpc', message: 'the request failed' },
    });
    const signal = AbortSignal.abort();
    expect(await host.call({ server: 's', tool: 'never' }, {}, { signal })).toMatchObject({
      kind: 'cancelled',
    });
  });

  it('answers requests of the server, and only valid ones', async () => {
    await using scope = new Scope();
    const asked: string[] = [];
    const { host } = await warmHost(
      scope,
      { asks: true },
      {
        elicit: ({ question }) => {
          asked.push(question.message);
          return Promise.resolve({ kind: 'accept', content: { name: 'ada' } });
        },
      },
    );
    const properties = { name: { type: 'string' } };
    const requestedSchema = { type: 'object', properties, required: ['name'] };
    const ask = (question: object) =>
      host.call({ server: 's', tool: 'ask' }, { questions: [question] } as never);
    const sound = await ask({ message: 'who?', requestedSchema });
    expect(JSON.parse(textOf(sound))).toEqual([{ action: 'accept', content: { name: 'ada' } }]);
    const unsound = await ask({ message: { not: 'a text' }, requestedSchema });
    expect(JSON.parse(textOf(unsound))).toMatchObject([{ code: -32_602 }]);
    expect(asked).toEqual(['who?']);
  });

  it('receives roots, log messages and changed lists like any host', async () => {
    await using scope = new Scope();
    const stays: Host[] = [];
    const { host } = await warmHost(
      scope,
      {
        asking: true,
        logsOnCall: 'worked',
        growOn: { tool: 'echo' },
        capabilities: { logging: {}, tools: { listChanged: true } },
      },
      { stays, roots: [process.cwd()] },
    );
    const events: string[] = [];
    using _ = host.on((event) => void events.push(event.kind));
    const outcome = await host.call(
      { server: 's', tool: 'ask' },
      { method: 'roots/list', times: 1 },
    );
    expect(JSON.stringify(outcome)).toContain('file://');
    await host.call({ server: 's', tool: 'echo' }, { message: 'grow' });
    await waitUntil(() => events.includes('log') && events.includes('tools'), {
      describe: 'the log and the changed list',
    });
  });

  it('fails its calls when the server dies, and connects again', async () => {
    await using scope = new Scope();
    const { host } = await warmHost(scope, {});
    const pid = await pidOf(host);
    const call = await callUnderWay(host);
    process.kill(pid, 'SIGKILL');
    expect(await call.outcome).toMatchObject({ kind: 'not-connected', reason: { kind: 'exited' } });
    expect(await pidOf(host)).not.toBe(pid);
  });
});
