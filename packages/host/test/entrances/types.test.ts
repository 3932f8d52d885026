// The public types, from the outside: what is right compiles, and what is wrong does not. Each
// `@ts-expect-error` fails the compilation of tests where the line below it is accepted.

import { inProcessServer, verifies } from '@plugboard/testkit';
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import { dynamicTool, jsonSchema, type ToolSet } from 'ai';
import {
  allowAll,
  type Approval,
  type CallOutcome,
  createHost,
  type Host,
  type HostTool,
  type Part,
  type ServersOutcome,
  toText,
} from '../../src/index.ts';
import {
  aiSdkTools,
  type AnthropicToolReference,
  anthropicTools,
  type GeminiCall,
  geminiTools,
  type OpenAiNativeTools,
  openAiTools,
  type OpenAiTools,
  toZod,
} from '../../src/adapters.ts';

/** Compiled, and never called. */
async function rightUses(host: Host, outcome: CallOutcome): Promise<void> {
  expectTypeOf(await host.tools())
    .toHaveProperty('tools')
    .toEqualTypeOf<readonly HostTool[]>();
  expectTypeOf(await host.call('name', { a: [1, null] })).toEqualTypeOf<CallOutcome>();
  expectTypeOf(await host.call({ server: 's', tool: 't' }, {})).toEqualTypeOf<CallOutcome>();
  expectTypeOf(
    await host.setServers({ s: { command: 'x' }, m: await inProcessServer() }),
  ).toEqualTypeOf<ServersOutcome>();
  if (outcome.kind === 'result') expectTypeOf(outcome.parts).toEqualTypeOf<readonly Part[]>();
  if (outcome.kind === 'denied') expectTypeOf(outcome.reason).toEqualTypeOf<string>();
  expectTypeOf((await aiSdkTools(host, { dynamicTool, jsonSchema })).tools).toExtend<ToolSet>();
  // A part as in the API's own types.
  type GeminiPart = { functionCall?: { name?: string; args?: Record<string, unknown> } };
  expectTypeOf((await geminiTools(host)).run)
    .parameter(0)
    .toEqualTypeOf<GeminiCall>();
  expectTypeOf<GeminiPart>().toExtend<GeminiCall>();
  // Only a native search yields references to tools.
  type Block<Tools extends { run: (...given: never[]) => Promise<{ content: unknown[] }> }> =
    Awaited<ReturnType<Tools['run']>>['content'][number];
  const plain = await anthropicTools(host, { tools: 'plan' });
  const native = await anthropicTools(host, { tools: 'plan', search: 'native' });
  expectTypeOf<AnthropicToolReference>().not.toExtend<Block<typeof plain>>();
  expectTypeOf<AnthropicToolReference>().toExtend<Block<typeof native>>();
  expectTypeOf(await openAiTools(host)).toEqualTypeOf<OpenAiTools>();
  expectTypeOf(await openAiTools(host, { search: 'native' })).toEqualTypeOf<OpenAiNativeTools>();
  expectTypeOf(toZod(z, {})).toEqualTypeOf<z.ZodType>();
}

/** Compiled, and never called. */
async function wrongUses(host: Host, outcome: CallOutcome): Promise<void> {
  // @ts-expect-error an option that there is not
  await createHost({ aprove: allowAll });
  // @ts-expect-error neither yes nor no
  await createHost({ approve: () => true });
  // @ts-expect-error an answer that there is not
  await createHost({ approve: (): Approval => ({ kind: 'maybe' }) });
  // @ts-expect-error no reason
  await createHost({ approve: () => ({ kind: 'deny' }) });
  // @ts-expect-error of a tool, what `host.tools` has of it
  await createHost({ approve: ({ tool }) => ({ kind: 'deny', reason: tool.definition.name }) });
  // @ts-expect-error a word that there is not
  await createHost({ files: 'all' });
  // @ts-expect-error no entry
  await createHost({ servers: { mine: 'command' } });
  // @ts-expect-error a field that there is not
  await createHost({ servers: { mine: { comand: 'x' } } });
  // @ts-expect-error a field that there is not, inside a field
  await createHost({ servers: { mine: { url: 'https://x', reconnect: { attempts: 3 } } } });
  // @ts-expect-error a field of the wrong type
  await createHost({ servers: { mine: { command: 'x', args: 'y' } } });
  // @ts-expect-error a field that there is not
  await host.setServers({ mine: { comand: 'x' } });
  // @ts-expect-error a field that there is not
  await host.addServer('mine', { comand: 'x' });
  // @ts-expect-error no server
  await createHost({ inProcess: { mine: {} } });
  // @ts-expect-error no arguments
  await host.call('name');
  // @ts-expect-error arguments that are no JSON
  await host.call('name', { now: () => 1 });
  // @ts-expect-error half a name
  await host.call({ server: 's' }, {});
  // @ts-expect-error no signal
  await host.call('name', {}, { signal: new AbortController() });
  // @ts-expect-error parts are there only where there is a result
  toText(outcome.parts);
  // @ts-expect-error a list of tools is not changed
  (await host.tools()).tools.push();
  // @ts-expect-error no entry
  await host.addServer('name', 'command');
  // @ts-expect-error an event that there is not
  host.on((event) => event.kind === 'nothing');
  const { run } = await anthropicTools(host);
  // @ts-expect-error no block in which a tool is used
  await run({ type: 'text', text: 'hi' });
  // @ts-expect-error not the AI SDK
  await aiSdkTools(host, { jsonSchema });
  // @ts-expect-error not Zod
  toZod({}, {});
}

describe('the types of the package', () => {
  verifies('API-04');

  it('accept valid programs and refuse invalid ones, when tests are compiled', () => {
    expect([rightUses, wrongUses].map(({ name }) => name)).toEqual(['rightUses', 'wrongUses']);
  });
});
