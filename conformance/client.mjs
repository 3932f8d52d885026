// The client under test: the public API of the library and nothing else. It lists the tools of the
// scenario's server, calls each of them, and says `done` if all went as it should. What a scenario
// wants beyond that stands in `WISHES`; nothing here makes up for what the library should do.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allowAll, createHost } from '@plugboard/host';

const { MCP_CONFORMANCE_SCENARIO: scenario = '', MCP_CONFORMANCE_PROTOCOL_VERSION: version } =
  process.env;
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const url = process.argv.at(-1);
const SERVER = 'peer';

/** The calls to make, given the tools that the host offers. */
const WISHES = {
  'http-custom-headers': () =>
    context.toolCalls.map(({ name, arguments: given }) => ({ tool: name, given })),
  'json-schema-2020-12-preservation': (tools) => [
    {
      tool: 'json_schema_echo',
      given: { schema: tools.find(({ tool }) => tool === 'json_schema_2020_12_tool').inputSchema },
    },
  ],
};

/** What a needed argument of each type is given. */
const SAMPLES = { string: 'x', number: 1.5, integer: 1, boolean: true, object: {}, array: [] };

/** Servers that list a tool and cannot be asked to run it. */
const LIST_ONLY = new Set(['json-schema-ref-no-deref']);

// A port is used again soon: what an earlier scenario's server on the same one listed must not
// answer for this one.
const own = mkdtempSync(join(tmpdir(), 'plugboard-conformance-client-'));
for (const name of ['XDG_CACHE_HOME', 'XDG_STATE_HOME']) process.env[name] = join(own, name);

const host = await createHost({
  files: 'none',
  servers: { [SERVER]: { type: 'http', url } },
  approve: allowAll,
  // An empty form: what the server named as defaults is for the library to fill in.
  elicit: () => Promise.resolve({ kind: 'accept', content: {} }),
});
try {
  const problem = await run();
  console.log(problem ?? 'done');
  if (problem !== undefined) process.exitCode = 1;
} finally {
  await host.close();
  rmSync(own, { recursive: true, force: true });
}

async function run() {
  const { tools, problems } = await host.tools();
  if (problems.length > 0) return `could not list: ${JSON.stringify(problems)}`;
  const { state } = host.servers[0];
  if (state.protocolVersion !== version) return `speaks ${state.protocolVersion}, not ${version}`;
  const wished = WISHES[scenario] ?? everyTool;
  for (const { tool, given } of wished(tools)) {
    const outcome = await host.call({ server: SERVER, tool }, given);
    const isFine = LIST_ONLY.has(scenario)
      ? outcome.failure?.code === -32_601
      : outcome.kind === 'result';
    if (!isFine) return `calling ${tool}: ${JSON.stringify(outcome)}`;
  }
  return undefined;
}

function everyTool(tools) {
  return tools.map(({ tool, inputSchema }) => ({ tool, given: sampleOf(inputSchema) }));
}

function sampleOf({ properties = {}, required = [] }) {
  return Object.fromEntries(required.map((key) => [key, SAMPLES[properties[key]?.type] ?? 'x']));
}
