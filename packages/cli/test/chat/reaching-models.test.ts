// Requests to models through the proxy of the environment, and at a rate limit.

import { startConnectProxy, startScriptedModel, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { sandbox } from '../sandbox.ts';

describe.concurrent('a request to a model', () => {
  it('goes through the proxy that the environment names', async ({ expect }) => {
    verifies('AGT-18', 'TRN-10');
    await using box = await sandbox();
    await using model = await startScriptedModel({ turns: ['From behind.'] });
    await using proxy = await startConnectProxy({ port: Number(new URL(model.url).port) });
    const run = await box.run(['run', '--model', 'ollama/tiny', 'hello'], {
      env: { OLLAMA_BASE_URL: 'http://models.example/v1', HTTP_PROXY: proxy.url },
    });
    expect(run).toEqual({ code: 0, stdout: 'From behind.\n', stderr: '' });
    expect(proxy.asked.map(({ authority }) => authority)).toEqual(['models.example:80']);
  });

  it('fails at a long rate limit with a message that says when the limit ends', async ({
    expect,
  }) => {
    verifies('AGT-18');
    await using box = await sandbox();
    const failure = { kind: 'rate-limited', retryAfter: '3600' } as const;
    await using model = await startScriptedModel({ turns: [{ kind: 'fails', failure }] });
    const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: model.url };
    const run = await box.run(['run', 'hello'], { env });
    expect(run.code).toBe(2);
    expect(run.stderr).toMatch(/the limit ends at \d\d:\d\d:\d\d/u);
    expect(run.stderr).toMatch(/fix: try again at \d\d:\d\d:\d\d/u);
  });
});
