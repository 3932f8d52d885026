import { Scope } from '@plugboard/base';
import { scriptedServer, verifies } from '@plugboard/testkit';
import { dynamicTool, generateText, jsonSchema, stepCountIs, type ToolSet } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { aiSdkTools } from '../../src/adapters.ts';
import { givenHost } from '../host/given-host.ts';

const ECHO_TAKES =
  'It takes arguments of this JSON Schema: {"type":"object","properties":{"message":{"type":"string"}},"required":["message"]}';

/** A model that calls one tool and then finishes, and the requests that it got. */
function modelUsing(toolName: string, input: object): MockLanguageModelV3 {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const answers = [
    {
      content: [
        { type: 'tool-call', toolCallId: 'c', toolName, input: JSON.stringify(input) } as const,
      ],
      finishReason: { unified: 'tool-calls', raw: undefined } as const,
      usage,
      warnings: [],
    },
    {
      content: [{ type: 'text', text: 'Done.' } as const],
      finishReason: { unified: 'stop', raw: undefined } as const,
      usage,
      warnings: [],
    },
  ];
  return new MockLanguageModelV3({ doGenerate: answers });
}

async function resultsOf(toolName: string, input: object, settings: object = {}) {
  await using scope = new Scope();
  const host = await givenHost(scope, { s: scriptedServer() }, settings);
  const { tools } = await aiSdkTools(host, { dynamicTool, jsonSchema });
  const model = modelUsing(toolName, input);
  const typed: ToolSet = tools;
  const { text } = await generateText({
    model,
    tools: typed,
    prompt: 'Go on.',
    stopWhen: stepCountIs(3),
  });
  const told = model.doGenerateCalls[1]?.prompt.at(-1);
  return { text, tools: model.doGenerateCalls[0]?.tools, told };
}

describe('the tools of a host for the AI SDK', () => {
  verifies('API-02');

  it('run in its loop, and the model receives their results', async () => {
    const { text, tools, told } = await resultsOf('mcp__s__echo', { message: 'hi' });
    expect(text).toBe('Done.');
    expect(tools?.find(({ name }) => name === 'mcp__s__echo')).toMatchObject({
      type: 'function',
      description: 'Says what it was told',
      inputSchema: { type: 'object', required: ['message'] },
    });
    expect(told).toMatchObject({
      role: 'tool',
      content: [{ output: { type: 'content', value: [{ type: 'text', text: 'hi' }] } }],
    });
  });

  it('return images as images', async () => {
    const { told } = await resultsOf('mcp__s__image', {});
    expect(told).toMatchObject({
      content: [{ output: { value: [{ type: 'image-data', mediaType: 'image/png' }] } }],
    });
  });

  it.each([
    ['mcp__s__error', {}, 'the tool failed'],
    [
      'mcp__s__echo',
      { message: 1 },
      'Tool echo does not take these arguments:\n- /message must be string\n' + ECHO_TAKES,
    ],
  ])('report that %s failed', async (name, input, value) => {
    const { told } = await resultsOf(name, input);
    expect(told).toMatchObject({ content: [{ output: { type: 'error-text', value } }] });
  });

  it('ask the approver of the host', async () => {
    const { told } = await resultsOf(
      'mcp__s__echo',
      { message: 'hi' },
      { approve: () => ({ kind: 'deny', reason: 'not today' }) },
    );
    expect(told).toMatchObject({
      content: [
        { output: { type: 'error-text', value: 'Calling tool echo was denied: not today' } },
      ],
    });
  });
});
