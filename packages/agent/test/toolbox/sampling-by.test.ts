// A server of a real host sends sampling requests to the conversation's model.

import { type JsonObject, Scope } from '@plugboard/base';
import { scriptedServer, verifies } from '@plugboard/testkit';
import { expect, it } from 'vitest';
import { samplingBy } from '../../src/toolbox/index.ts';
import { givenHost } from '../given-host.ts';
import { call, says, scriptedModel, type Step, user } from '../scripted-model.ts';

const params = {
  messages: [{ role: 'user', content: { type: 'text', text: 'What is the capital of France?' } }],
  systemPrompt: 'Be short.',
  maxTokens: 100,
};

async function asked(scope: Scope, step: Step, more: JsonObject = {}) {
  const model = scriptedModel([step]);
  const server = { ...scriptedServer({ asking: true }), sampling: { enabled: true } };
  const sampling = samplingBy(() => model, { approve: () => ({ kind: 'allow' }) });
  const host = await givenHost(scope, { s: server }, { sampling });
  const wish = { method: 'sampling/createMessage', params: { ...params, ...more } };
  const outcome = await host.call({ server: 's', tool: 'ask' }, wish);
  return { model, text: JSON.stringify(outcome) };
}

it('sampling sends the request of a server to the model, and returns the answer', async () => {
  verifies('INB-03');
  await using scope = new Scope();
  const { model, text } = await asked(scope, says('Paris'));
  expect(model.requests).toEqual([
    { system: 'Be short.', messages: [user('What is the capital of France?')], tools: [] },
  ]);
  expect(text).toContain('Paris');
  expect(text).toContain('scripted/model');
});

it('sampling returns no longer an answer than the server allowed', async () => {
  await using scope = new Scope();
  const { text } = await asked(scope, says('x'.repeat(500)), { maxTokens: 10 });
  expect(text).toContain('x'.repeat(60));
  expect(text).not.toContain('x'.repeat(61));
  expect(text).toContain('maxTokens');
});

it('sampling tells the server that the model failed', async () => {
  await using scope = new Scope();
  const failure = { kind: 'overloaded', message: 'busy' } as const;
  const { text } = await asked(scope, { kind: 'fails', failure });
  expect(text).toContain('error');
  expect(text).not.toContain('assistant');
});

it('sampling returns the tool calls of the model, and runs none', async () => {
  await using scope = new Scope();
  const step: Step = { kind: 'says', parts: [call('1', 'look', { at: 'it' })], reason: 'calls' };
  const tools = [{ name: 'look', description: 'Looks', inputSchema: { type: 'object' } }];
  const { model, text } = await asked(scope, step, { tools });
  expect(model.requests[0]?.tools).toEqual([
    { name: 'look', description: 'Looks', inputSchema: { type: 'object' } },
  ]);
  expect(text).toContain('look');
});
