// A model that writes a script over tools: results go from one call to the next, and only what is returned reaches the model.
// Run from the root of the repository, after a build.

import assert from 'node:assert/strict';
// <code>
import { type ApprovalRequest, createHost } from '@plugboard/host';
import { anthropicTools } from '@plugboard/host/adapters';

const program = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js';
const everything = { command: 'node', args: [program, 'stdio'], cwd: 'project' };
const asked: ApprovalRequest[] = [];
await using host = await createHost({
  servers: { everything },
  files: 'none',
  approve: (request) => {
    asked.push(request);
    return { kind: 'allow', remember: 'script' };
  },
});

const { tools, run } = await anthropicTools(host, { tools: 'plan', budget: 500, code: true });
// </code>

assert.deepEqual(
  tools.map(({ name }) => name),
  ['search_tools', 'describe_tools', 'call_tool', 'run_code'],
);

// <script>
const code = `
  const cities = ['New York', 'Chicago', 'Los Angeles'] as const;
  const warm: string[] = [];
  for (const location of cities) {
    const { temperature } = await tools.everything['get-structured-content']({ location });
    console.log(location, temperature);
    if (temperature > 40) warm.push(location);
  }
  return warm;`;
const answer = await run({
  type: 'tool_use',
  id: '1',
  name: 'run_code',
  input: { code, name: 'warm cities' },
});
// </script>

const [said] = answer.content;
assert.equal(answer.is_error, undefined);
assert.match(said?.type === 'text' ? said.text : '', /^\[.*\]\n\nLog:\nNew York \d+\n/u);
assert.deepEqual(
  asked.map(({ asker, script, tool }) => [asker, script?.code === code, tool.tool]),
  [['script warm cities', true, 'get-structured-content']],
);
