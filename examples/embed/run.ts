// An agent's side of Plugboard in ten lines, then the parts that docs/embedding.md quotes. Run from the
// root of the repository, after a build; whatever is not as expected ends it with an error.

import assert from 'node:assert/strict';
// <ten-lines>
import { allowAll, createHost, toText } from '@plugboard/host';

const program = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js';
const everything = { command: 'node', args: [program, 'stdio'], cwd: 'project' };
await using host = await createHost({ servers: { everything }, files: 'none', approve: allowAll });

const { tools } = await host.tools();
console.log(`${tools.length} tools, the first is ${tools[0]?.name}`);
const outcome = await host.call('mcp__everything__echo', { message: 'hello' });
console.log(outcome.kind === 'result' ? toText(outcome.parts) : outcome);
// </ten-lines>

assert.deepEqual(outcome, {
  server: 'everything',
  tool: 'echo',
  kind: 'result',
  parts: [{ kind: 'text', text: 'Echo: hello' }],
});
assert.ok(tools.some(({ name }) => name === 'mcp__everything__echo'));

// <approve>
await using careful = await createHost({
  servers: { everything },
  files: 'none',
  approve: ({ tool }) =>
    tool.server === 'everything' && tool.tool === 'echo'
      ? { kind: 'allow' }
      : { kind: 'deny', reason: 'this program only ever echoes' },
});
// </approve>

// <events>
const seen: string[] = [];
using _listening = careful.on((event) => {
  if (event.kind === 'state') seen.push(`${event.server.name} is ${event.server.state.kind}`);
});
// </events>

// <outcomes>
const outcomes = await Promise.all([
  careful.call('mcp__everything__ecoh', { message: 'hello' }),
  careful.call({ server: 'everything', tool: 'get-sum' }, { a: 1 }),
  careful.call({ server: 'everything', tool: 'get-sum' }, { a: 1, b: 2 }),
]);
const forModel = outcomes.map((each) => {
  switch (each.kind) {
    case 'result':
    case 'tool-error':
      return toText(each.parts);
    case 'unknown-tool':
      return `there is no such tool; is it ${each.nearest}?`;
    case 'invalid-arguments':
      return each.issues.map(({ path, message }) => `arguments${path} ${message}`).join('\n');
    case 'denied':
      return `not allowed: ${each.reason}`;
    default:
      return `the call failed: ${each.kind}`;
  }
});
// </outcomes>

assert.deepEqual(forModel, [
  'there is no such tool; is it mcp__everything__echo?',
  "arguments must have required property 'b'",
  'not allowed: this program only ever echoes',
]);
assert.deepEqual(seen, ['everything is connecting', 'everything is ready']);

// <resources>
const { resources } = await host.resources.list();
const readings = await Promise.all(resources.map((each) => host.resources.read(each)));
const prompt = await host.prompts.get(
  { server: 'everything', prompt: 'args-prompt' },
  { city: 'Paris' },
);
// </resources>

assert.equal(readings.filter(({ kind }) => kind === 'result').length, 7);
assert.equal(
  prompt.kind === 'result' && toText(prompt.messages[0]?.parts ?? []),
  "What's weather in Paris?",
);
