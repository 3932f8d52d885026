// An agent's loop over Anthropic's Messages API with the tools of MCP servers. The model here is a script
// with the same answers each time; with the API's client in its place, the loop is the same. Run from the
// root of the repository, after a build.

import assert from 'node:assert/strict';
import { createMessage, type Message } from './scripted-model.ts';
// <anthropic>
import { allowAll, createHost } from '@plugboard/host';
import { anthropicTools } from '@plugboard/host/adapters';

const program = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js';
const everything = { command: 'node', args: [program, 'stdio'], cwd: 'project' };
await using host = await createHost({ servers: { everything }, files: 'none', approve: allowAll });

const { tools, run } = await anthropicTools(host);
const messages: Message[] = [{ role: 'user', content: 'What is 2 and 3? Show me a picture, too.' }];
for (;;) {
  const { content, stop_reason } = await createMessage({ model: 'claude', tools, messages });
  messages.push({ role: 'assistant', content });
  if (stop_reason !== 'tool_use') break;
  const uses = content.filter((block) => block.type === 'tool_use');
  messages.push({ role: 'user', content: await Promise.all(uses.map((use) => run(use))) });
}
// </anthropic>

const answers = messages
  .filter(({ role }) => role === 'user')
  .slice(1)
  .flatMap(({ content }) => (typeof content === 'string' ? [] : content));
assert.deepEqual(
  answers.map((block) => block.type === 'tool_result' && [block.tool_use_id, block.is_error]),
  [
    ['toolu_1', undefined],
    ['toolu_2', undefined],
    ['toolu_3', true],
  ],
);
const [sum, picture, failed] = answers.map((block) =>
  block.type === 'tool_result' ? block.content : [],
);
assert.deepEqual(sum, [{ type: 'text', text: 'The sum of 2 and 3 is 5.' }]);
assert.ok(picture?.some(({ type }) => type === 'image'));
assert.match(JSON.stringify(failed), /There is no tool mcp__everything__get-som/);
assert.deepEqual(messages.at(-1)?.content, [{ type: 'text', text: 'It is 5.' }]);
