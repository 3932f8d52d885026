import { Scope } from '@plugboard/base';
import { everything, scriptedServer, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { givenHost } from './given-host.ts';

const library = {
  prompts: [
    {
      name: 'greet',
      description: 'd'.repeat(3000),
      arguments: [{ name: 'who', required: true }],
      messages: [
        { role: 'user', content: { type: 'text', text: 'Hello' } },
        {
          role: 'assistant',
          content: { type: 'resource_link', uri: 'file:///etc/passwd', name: 'x' },
        },
      ],
    },
  ],
  completions: { who: ['Ada', 'Alan'] },
};

describe('the prompts of all servers', () => {
  verifies('CAT-06');

  it('are listed with their server, which fills them in', async () => {
    await using scope = new Scope();
    const host = await givenHost(scope, {
      a: scriptedServer({ library }),
      b: scriptedServer({ library }),
      gone: { command: '/no/such/program' },
    });
    const { prompts, problems } = await host.prompts.list();
    expect(
      prompts.map(({ server, prompt, description }) => [server, prompt, description.length]),
    ).toEqual([
      ['a', 'greet', 2048],
      ['b', 'greet', 2048],
    ]);
    expect(problems.map(({ server, kind }) => [server, kind])).toEqual([['gone', 'not-connected']]);
    expect(await host.prompts.locate('greet')).toMatchObject({ servers: ['a', 'b'] });
    expect(await host.prompts.get({ server: 'a', prompt: 'greet' }, { who: 'Ada' })).toEqual({
      kind: 'result',
      server: 'a',
      prompt: 'greet',
      description: undefined,
      messages: [
        { role: 'user', parts: [{ kind: 'text', text: 'Hello' }] },
        {
          role: 'assistant',
          parts: [{ kind: 'link', uri: 'file:///etc/passwd', name: 'x', mimeType: undefined }],
        },
      ],
    });
    const wanted = { server: 'a', prompt: 'greet', argument: 'who', typed: 'Al' };
    expect(await host.prompts.complete(wanted)).toEqual({
      kind: 'result',
      values: ['Alan'],
      hasMore: false,
    });
  });

  it('report invalid arguments', async () => {
    await using scope = new Scope();
    const host = await givenHost(scope, {
      a: everything(),
      bare: scriptedServer({ builtIns: ['echo'] }),
    });
    const get = (prompt: string, given: Record<string, string>) =>
      host.prompts.get({ server: 'a', prompt }, given);
    expect(await get('args-prompt', { town: 'Paris' })).toMatchObject({
      kind: 'invalid-arguments',
      missing: ['city'],
      strange: ['town'],
    });
    expect(await get('arg-prompt', {})).toEqual({
      kind: 'unknown-prompt',
      server: 'a',
      prompt: 'arg-prompt',
      nearest: 'args-prompt',
    });
    expect(await host.prompts.get({ server: 'bare', prompt: 'x' })).toEqual({
      kind: 'unsupported',
      server: 'bare',
      feature: 'prompts',
    });
    const wanted = { server: 'bare', prompt: 'x', argument: 'y', typed: '' };
    expect(await host.prompts.complete(wanted)).toEqual({
      kind: 'unsupported',
      server: 'bare',
      feature: 'completions',
    });
  });
});
