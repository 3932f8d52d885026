// More tools than a model should get: within a budget it gets three tools to search for them, and the search by itself.
// Run from the root of the repository, after a build.

import assert from 'node:assert/strict';
// <plan>
import { allowAll, createHost } from '@plugboard/host';
import { anthropicTools, openToolIndex } from '@plugboard/host/adapters';

const program = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js';
const everything = { command: 'node', args: [program, 'stdio'], cwd: 'project' };
await using host = await createHost({ servers: { everything }, files: 'none', approve: allowAll });

const { tools, run } = await anthropicTools(host, { tools: 'plan', budget: 500 });
// </plan>

assert.deepEqual(
  tools.map(({ name }) => name),
  ['search_tools', 'describe_tools', 'call_tool'],
);
const use = (name: string, input: unknown) => ({ type: 'tool_use', id: '1', name, input }) as const;
const found = await run(use('search_tools', { queries: ['add two numbers'] }));
assert.match(JSON.stringify(found.content), /everything\.get-sum\(a: number, b: number\)/);
const sum = await run(use('call_tool', { name: 'everything.get-sum', arguments: { a: 2, b: 3 } }));
assert.deepEqual(sum.content, [{ type: 'text', text: 'The sum of 2 and 3 is 5.' }]);

// <index>
const index = await openToolIndex();
index.set((await host.tools()).tools);
const best = index.search(['add two numbers', 'compress a file'], 4);
// </index>

assert.deepEqual(
  best.slice(0, 2).map(({ tool }) => tool),
  ['get-sum', 'gzip-file-as-resource'],
);

// <native>
const native = await anthropicTools(host, { tools: 'plan', budget: 500, search: 'native' });
const deferred = native.tools.filter(({ defer_loading }) => defer_loading === true);
const loaded = await native.run(use('search_tools', { queries: ['add two numbers'] }));
const direct = await native.run(use('mcp__everything__get-sum', { a: 2, b: 3 }));
// </native>

assert.equal(deferred.length, native.tools.length - 1);
assert.deepEqual(loaded.content[0], {
  type: 'tool_reference',
  tool_name: 'mcp__everything__get-sum',
});
assert.deepEqual(direct.content, [{ type: 'text', text: 'The sum of 2 and 3 is 5.' }]);
