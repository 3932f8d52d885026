// Servers that come and go while a host lives, and a tool's schema as a Zod schema. Run from the root of
// the repository, after a build.

import assert from 'node:assert/strict';
// <run-time-servers>
import { McpServer } from '@modelcontextprotocol/server';
import { allowAll, createHost } from '@plugboard/host';
import * as z from 'zod';

const clock = new McpServer({ name: 'clock', version: '1.0.0' });
clock.registerTool(
  'day',
  { description: 'The day after so many', inputSchema: z.object({ days: z.int().min(0) }) },
  ({ days }) => ({ content: [{ type: 'text', text: `day ${days + 1}` }] }),
);

await using host = await createHost({ files: 'none', approve: allowAll });
await host.addServer('clock', clock);
const outcome = await host.call({ server: 'clock', tool: 'day' }, { days: 6 });

const program = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js';
const everything = { command: 'node', args: [program, 'stdio'], cwd: 'project' };
const changes = await host.setServers({ clock, everything });
// </run-time-servers>

assert.deepEqual(outcome, {
  server: 'clock',
  tool: 'day',
  kind: 'result',
  parts: [{ kind: 'text', text: 'day 7' }],
});
assert.deepEqual(changes, {
  kind: 'applied',
  added: ['everything'],
  removed: [],
  changed: [],
  refused: [],
  diagnostics: [],
});

// <zod>
import { toZod } from '@plugboard/host/adapters';

const { tools } = await host.tools({ servers: ['clock'] });
const schemas = new Map(tools.map(({ name, inputSchema }) => [name, toZod(z, inputSchema)]));
const refused = schemas.get('mcp__clock__day')?.safeParse({ days: -1 }).error;
// </zod>

assert.match(refused?.message ?? '', /Too small/);
await host.removeServer('clock');
assert.deepEqual(
  host.servers.map(({ name }) => name),
  ['everything'],
);
