import { Scope } from '@plugboard/base';
import { scriptedServer, startScriptedHttp, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { Host, HostOptions } from '../../src/host/index.ts';
import { givenHost } from './given-host.ts';

const script = { eras: ['modern'], tasks: true } as const;

const cells = [
  {
    name: 'stdio',
    start: (scope: Scope, options: HostOptions): Promise<Host> =>
      givenHost(scope, { s: { ...scriptedServer(script), protocol: 'modern' } }, options),
  },
  {
    name: 'http',
    async start(scope: Scope, options: HostOptions): Promise<Host> {
      const server = scope.use(await startScriptedHttp(script));
      return givenHost(scope, { s: { type: 'http', url: server.url } }, options);
    },
  },
];

describe.each(cells)('a call that becomes a task over $name', ({ start }) => {
  it('is followed to its result', async () => {
    verifies('CAL-06');
    await using scope = new Scope();
    const host = await start(scope, {});
    expect(await host.call({ server: 's', tool: 'greet' }, { name: 'Ada' })).toMatchObject({
      kind: 'result',
      parts: [{ kind: 'text', text: expect.stringContaining('Ada') as string }],
    });
  });

  it('can ask for input', async () => {
    verifies('CAL-06');
    await using scope = new Scope();
    const asked: string[] = [];
    const host = await start(scope, {
      elicit: ({ question }) => {
        asked.push(question.message);
        return Promise.resolve({ kind: 'accept', content: { confirm: true } });
      },
    });
    const outcome = await host.call({ server: 's', tool: 'confirm_delete' }, { filename: 'a.txt' });
    expect(outcome).toMatchObject({ kind: 'result' });
    expect(asked).toHaveLength(1);
  });

  it('is cancelled at the server with the call', async () => {
    verifies('CAL-06');
    await using scope = new Scope();
    const host = await start(scope, {});
    const abort = new AbortController();
    const onProgress = (): void => abort.abort();
    const slow = host.call(
      { server: 's', tool: 'slow_compute' },
      { seconds: 60 },
      { signal: abort.signal, onProgress },
    );
    expect(await slow).toMatchObject({ kind: 'cancelled' });
    const log = await host.call({ server: 's', tool: 'task_log' }, {});
    expect(JSON.stringify(log)).toContain('tasks/cancel');
  });
});
