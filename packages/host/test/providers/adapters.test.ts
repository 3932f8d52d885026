import { Scope } from '@plugboard/base';
import { scriptedServer, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { anthropicTools, geminiTools, openAiChatTools, openAiTools } from '../../src/adapters.ts';
import type { ApprovalRequest, HostOptions } from '../../src/host/index.ts';
import { givenHost } from '../host/given-host.ts';

const ECHO_TAKES =
  'It takes arguments of this JSON Schema: {"type":"object","properties":{"message":{"type":"string"}},"required":["message"]}';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

const odd = {
  name: 'odd',
  description: 'Has a name that providers refuse',
  inputSchema: {
    type: 'object',
    properties: { 'größe (cm)': { type: 'number' } },
    required: ['größe (cm)'],
    additionalProperties: false,
  },
  result: { content: [{ type: 'text', text: 'measured' }] },
};

const hostWith = (scope: Scope, options: HostOptions = {}) =>
  givenHost(scope, { s: scriptedServer(), o: scriptedServer({ tools: [odd] }) }, options);

const use = (name: string, input: unknown = {}) =>
  ({ type: 'tool_use', id: 'toolu_1', name, input }) as const;

describe('a model behind an adapter', () => {
  it('can page and search in a cut result, if the program enables it', async () => {
    verifies('OUT-07');
    await using scope = new Scope();
    const host = await hostWith(scope, { output: { maxCharacters: 5000 } });
    const { tools, run } = await anthropicTools(host, { cutResults: 'tool' });
    expect(tools.at(-1)?.name).toBe('read_result');
    const textOf = ({ content }: Awaited<ReturnType<typeof run>>): string =>
      content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
    const cut = textOf(await run(use('mcp__s__big', { bytes: 20_000 })));
    const [, id = ''] = /Read on or search in it: read_result \{"id":"(\w+)"\}/.exec(cut) ?? [];
    let next: object | undefined = { id };
    let read = 0;
    while (next !== undefined) {
      const page = textOf(await run(use('read_result', next)));
      read += /^1: (x+)$/m.exec(page)?.[1]?.length ?? 0;
      const way = /\[Read on: (\{.*\})\]$/.exec(page)?.[1];
      next = way === undefined ? undefined : (JSON.parse(way) as object);
    }
    expect(read).toBe(20_000);
    expect(textOf(await run(use('read_result', { id, query: 'xxx', max_results: 1 })))).toContain(
      '[1 match of "xxx"',
    );
    expect(await run(use('read_result', { id: '/etc/passwd' }))).toMatchObject({ is_error: true });
  });

  it('is offered no tool for cut results by default', async () => {
    await using scope = new Scope();
    const host = await hostWith(scope, { output: { maxCharacters: 5000 } });
    for (const { name } of (await anthropicTools(host)).tools) expect(name).not.toBe('read_result');
    const { run } = await anthropicTools(host);
    expect(await run(use('read_result', { id: '1' }))).toMatchObject({ is_error: true });
  });
});

describe('the tools of a host for Anthropic', () => {
  verifies('API-02');

  it('are defined as its API expects, and answered in its blocks', async () => {
    await using scope = new Scope();
    const { tools, problems, run } = await anthropicTools(await hostWith(scope));
    expect(problems).toEqual([]);
    expect(tools.find(({ name }) => name === 'mcp__s__echo')).toEqual({
      name: 'mcp__s__echo',
      description: 'Says what it was told',
      input_schema: {
        type: 'object',
        properties: { message: { type: 'string' } },
        required: ['message'],
      },
    });
    expect(await run(use('mcp__s__echo', { message: 'hi' }))).toEqual({
      type: 'tool_result',
      tool_use_id: 'toolu_1',
      content: [{ type: 'text', text: 'hi' }],
    });
    expect((await run(use('mcp__s__image'))).content).toEqual([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
    ]);
    expect((await run(use('mcp__s__audio'))).content).toEqual([
      { type: 'text', text: expect.stringMatching(/^\[audio audio\/wav, 44 bytes, in the file /) },
    ]);
    expect((await run(use('mcp__s__big', { bytes: 0 }))).content).toEqual([
      { type: 'text', text: '(The tool gave no output.)' },
    ]);
  });

  it.each([
    ['mcp__s__error', {}, 'the tool failed'],
    ['mcp__s__ecoh', {}, 'There is no tool mcp__s__ecoh. Did you mean mcp__s__echo?'],
    [
      'mcp__s__echo',
      { message: 1 },
      'Tool echo does not take these arguments:\n- /message must be string\n' + ECHO_TAKES,
    ],
    [
      'mcp__s__echo',
      [1],
      'Tool mcp__s__echo was not called: its arguments must be one JSON object.\n' + ECHO_TAKES,
    ],
  ])('answer %s with %j as an error that the model can read', async (name, input, text) => {
    await using scope = new Scope();
    const { run } = await anthropicTools(await hostWith(scope));
    expect(await run(use(name, input))).toEqual({
      type: 'tool_result',
      tool_use_id: 'toolu_1',
      content: [{ type: 'text', text }],
      is_error: true,
    });
  });

  it('have a description derived from their names if the server gives none', async () => {
    verifies('CAT-10');
    await using scope = new Scope();
    const tools = [{ name: 'bare' }, { name: 'titled', title: 'Do it\nnow', description: ' ' }];
    const host = await givenHost(scope, { s: scriptedServer({ builtIns: [], tools }) });
    expect((await anthropicTools(host)).tools.map(({ description }) => description)).toEqual([
      'The tool "bare" of the server "s", which gives no description of it.',
      String.raw`The tool "titled" ("Do it\nnow") of the server "s", which gives no description of it.`,
    ]);
  });

  it('ask the approver, which sees the real names of arguments', async () => {
    await using scope = new Scope();
    const asked: ApprovalRequest['arguments'][] = [];
    const host = await hostWith(scope, {
      approve: ({ tool, arguments: given }) => {
        asked.push(given);
        return tool.tool === 'odd' ? { kind: 'allow' } : { kind: 'deny', reason: 'not today' };
      },
    });
    const { tools, run } = await anthropicTools(host);
    const schema = tools.find(({ name }) => name === 'mcp__o__odd')?.input_schema;
    const [fit = ''] = Object.keys(schema?.properties ?? {});
    expect(fit).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/);
    expect((await run(use('mcp__o__odd', { [fit]: 180 }))).content).toEqual([
      { type: 'text', text: 'measured' },
    ]);
    expect(await run(use('mcp__s__echo', { message: 'hi' }))).toMatchObject({
      content: [{ text: 'Calling tool echo was denied: not today' }],
      is_error: true,
    });
    expect(asked).toEqual([{ 'größe (cm)': 180 }, { message: 'hi' }]);
  });

  it('are aborted with the signal', async () => {
    await using scope = new Scope();
    const { run } = await anthropicTools(await hostWith(scope));
    const controller = new AbortController();
    const running = run(use('mcp__s__never'), controller.signal);
    controller.abort();
    expect(await running).toMatchObject({
      content: [{ text: 'Calling tool never was given up.' }],
      is_error: true,
    });
  });

  it('exclude those of a failing server, which is reported', async () => {
    await using scope = new Scope();
    const host = await givenHost(scope, {
      s: scriptedServer(),
      gone: { command: 'no-such-program-anywhere' },
    });
    const { tools, problems } = await anthropicTools(host);
    expect(tools.length).toBeGreaterThan(5);
    expect(problems).toMatchObject([{ kind: 'not-connected', server: 'gone' }]);
    expect((await anthropicTools(host, { servers: ['s'] })).problems).toEqual([]);
  });
});

describe('the tools of a host for OpenAI', () => {
  verifies('API-02');

  it('answer calls of the Responses API, also with images', async () => {
    await using scope = new Scope();
    const { tools, run } = await openAiTools(await hostWith(scope));
    const call = (name: string, given: string) =>
      run({ type: 'function_call', call_id: 'c', name, arguments: given });
    expect(tools.find(({ name }) => name === 'mcp__s__echo')).toEqual({
      type: 'function',
      name: 'mcp__s__echo',
      description: 'Says what it was told',
      parameters: {
        type: 'object',
        properties: { message: { type: 'string' } },
        required: ['message'],
      },
      strict: false,
    });
    expect(await call('mcp__s__echo', '{"message":"hi"}')).toEqual({
      type: 'function_call_output',
      call_id: 'c',
      output: [{ type: 'input_text', text: 'hi' }],
    });
    expect((await call('mcp__s__image', '')).output).toEqual([
      { type: 'input_image', image_url: `data:image/png;base64,${PNG}`, detail: 'auto' },
    ]);
    expect((await call('mcp__s__echo', '{"message":')).output).toEqual([
      {
        type: 'input_text',
        text: `Tool mcp__s__echo was not called: its arguments must be one JSON object.\n${ECHO_TAKES}`,
      },
    ]);
  });

  it('answer calls of the Chat Completions API in text', async () => {
    await using scope = new Scope();
    const { tools, run } = await openAiChatTools(await hostWith(scope));
    const call = (name: string, given: string) =>
      run({ id: 'c', type: 'function', function: { name, arguments: given } });
    expect(tools.map((tool) => tool.function.name)).toContain('mcp__o__odd');
    expect(new Set(tools.map(({ type }) => type))).toEqual(new Set(['function']));
    expect(await call('mcp__s__add', '{"a":1,"b":2}')).toEqual({
      role: 'tool',
      tool_call_id: 'c',
      content: '{\n  "sum": 3\n}',
    });
    expect((await call('mcp__s__image', '{}')).content).toBe('[image image/png, 70 bytes]');
  });
});

describe('the tools of a host for Gemini', () => {
  it('answer a function call with its output or its error', async () => {
    await using scope = new Scope();
    const { functionDeclarations, run } = await geminiTools(await hostWith(scope));
    expect(functionDeclarations.map(({ name }) => name)).toContain('mcp__s__echo');
    const call = { id: 'c', name: 'mcp__s__echo', args: { message: 'hi' } };
    expect(await run({ functionCall: call })).toEqual({
      functionResponse: { id: 'c', name: 'mcp__s__echo', response: { output: 'hi' } },
    });
    expect(await run({ functionCall: { name: 'mcp__s__error' } })).toEqual({
      functionResponse: { name: 'mcp__s__error', response: { error: 'the tool failed' } },
    });
    expect(await run({})).toMatchObject({
      functionResponse: { response: { error: expect.stringContaining('no tool') as string } },
    });
  });
});
