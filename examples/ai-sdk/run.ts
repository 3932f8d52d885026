// The tools of MCP servers in the loop of the AI SDK, here with the SDK's own mock of a model. Run from
// the root of the repository, after a build.

import assert from 'node:assert/strict';
import { model } from './scripted-model.ts';
// <ai-sdk>
import { allowAll, createHost } from '@plugboard/host';
import { aiSdkTools } from '@plugboard/host/adapters';
import { dynamicTool, generateText, jsonSchema, stepCountIs } from 'ai';

const program = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js';
const everything = { command: 'node', args: [program, 'stdio'], cwd: 'project' };
await using host = await createHost({ servers: { everything }, files: 'none', approve: allowAll });

const { tools } = await aiSdkTools(host, { dynamicTool, jsonSchema });
const { text, steps } = await generateText({
  model,
  tools,
  prompt: 'What is 2 and 3?',
  stopWhen: stepCountIs(5),
});
// </ai-sdk>

assert.equal(text, 'It is 5.');
const [result] = steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => output));
const { isError, parts } = result as { readonly isError: boolean; readonly parts: unknown };
assert.deepEqual([isError, parts], [false, [{ kind: 'text', text: 'The sum of 2 and 3 is 5.' }]]);
