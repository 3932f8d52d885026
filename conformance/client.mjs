// The client under test, with only the public API of the library. It lists the tools of the scenario's server, calls
// each of them, and prints `done` on success. `WISHES` has further calls for some scenarios; no code here replaces work
// of the library.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allowAll, createHost, memoryCredentials } from '@plugboard/host';

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

/** The value of a required argument, by type. */
const SAMPLES = { string: 'x', number: 1.5, integer: 1, boolean: true, object: {}, array: [] };

/** Scenarios whose servers list a tool but cannot run it. */
const LIST_ONLY = new Set(['json-schema-ref-no-deref']);

/** Scenarios in which the server misbehaves and a refusal is expected, with the expected kinds of problem. */
const REFUSALS = {
  'auth/resource-mismatch': 'resource-mismatch',
  'auth/metadata-issuer-mismatch': 'issuer-mismatch',
  'auth/iss-supported-missing': 'issuer-mismatch',
  'auth/iss-wrong-issuer': 'issuer-mismatch',
  'auth/iss-unexpected': 'issuer-mismatch',
  'auth/iss-normalized': 'issuer-mismatch',
  'auth/scope-retry-limit': 'insufficient-scope',
};

/** The `oauth` field of the server's entry, by scenario. */
const OAUTH = {
  'auth/pre-registration': () => ({
    clientId: context.client_id,
    clientSecret: '${secret:client}',
  }),
  'auth/client-credentials-basic': () => ({
    grant: 'client_credentials',
    clientId: context.client_id,
    clientSecret: '${secret:client}',
  }),
  'auth/client-credentials-jwt': () => ({
    grant: 'client_credentials',
    clientId: context.client_id,
    privateKey: '${secret:key}',
    privateKeyAlgorithm: context.signing_algorithm ?? 'ES256',
  }),
  'auth/wif-jwt-bearer': () => ({
    grant: 'jwt-bearer',
    clientId: context.client_id,
    assertion: '${secret:workload}',
  }),
  'auth/enterprise-managed-authorization': () => ({
    clientId: context.client_id,
    clientSecret: '${secret:client}',
    xaa: {
      issuer: context.idp_issuer,
      tokenEndpoint: context.idp_token_endpoint,
      clientId: context.idp_client_id,
      idToken: '${secret:id-token}',
    },
  }),
  'auth/dpop': () => ({ dpop: true }),
  'auth/dpop-nonce': () => ({ dpop: true }),
};

const SECRETS = {
  client: context.client_secret,
  key: context.private_key_pem,
  workload: context.valid_jwt,
  'id-token': context.idp_id_token,
};

/** The defect that the client has to detect in the skill of a server, by scenario. */
const SKILLS = {
  'sep-2640-client-no-prefetch': 'nothing',
  'sep-2640-client-verify-digest': 'digest',
  'sep-2640-client-verify-frontmatter': 'frontmatter',
  'sep-2640-client-verify-size': 'size',
};

const REDIRECT = 'http://127.0.0.1:33418/callback';

/** A browser without a window: the page of the suite sends it back at once. */
const browser = {
  begin: () =>
    Promise.resolve({
      ok: true,
      value: {
        redirectUrl: REDIRECT,
        async open(page) {
          const response = await fetch(page, { redirect: 'manual' });
          const location = response.headers.get('location');
          if (location === null) return { ok: false, error: { kind: 'cancelled' } };
          return { ok: true, value: new URL(location, page) };
        },
        [Symbol.asyncDispose]: () => Promise.resolve(),
      },
    }),
};

// Ports are reused, so the stored lists of an earlier scenario's server must not be used for this one.
const own = mkdtempSync(join(tmpdir(), 'plugboard-conformance-client-'));
for (const name of ['XDG_CACHE_HOME', 'XDG_STATE_HOME']) process.env[name] = join(own, name);
/** All scenarios run in parallel, and a busy machine is not a failure. */
const PATIENCE = { connectTimeout: 80_000 };

const FORMATTED = {
  email: 'somebody@example.com',
  uri: 'https://example.com/',
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
};

const oauth = OAUTH[scenario]?.();
const host = await createHost({
  files: 'none',
  servers: {
    [SERVER]: { type: 'http', url, ...PATIENCE, ...(oauth === undefined ? {} : { oauth }) },
  },
  secrets: { get: (name) => Promise.resolve({ ok: true, value: SECRETS[name] }) },
  authorization: {
    browser,
    credentials: memoryCredentials(),
    clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
  },
  approve: allowAll,
  // The library fills in the defaults of the server.
  elicit: ({ question }) =>
    Promise.resolve({
      kind: 'accept',
      content: question.kind === 'form' ? filledIn(question.fields) : {},
    }),
});
try {
  const problem = await run();
  console.log(problem ?? 'done');
  if (problem !== undefined) process.exitCode = 1;
} finally {
  await host.close();
  rmSync(own, { recursive: true, force: true });
}

/** Only the required fields. */
function filledIn(fields) {
  const needed = fields.filter((field) => field.isRequired && field.default === undefined);
  return Object.fromEntries(needed.map((field) => [field.name, answerTo(field)]));
}

function answerTo(field) {
  switch (field.kind) {
    case 'number':
      return field.minimum ?? Math.min(1, field.maximum ?? 1);
    case 'boolean':
      return true;
    case 'choice':
      return field.options[0].value;
    case 'choices':
      return field.options.slice(0, field.minItems ?? 1).map(({ value }) => value);
    default:
      return FORMATTED[field.format] ?? 'x'.repeat(Math.max(field.minLength ?? 1, 1));
  }
}

async function run() {
  const tampered = SKILLS[scenario];
  if (tampered !== undefined) return useSkills(tampered);
  const { tools, problems } = await host.tools();
  const refusal = REFUSALS[scenario];
  if (refusal !== undefined) return refusedWith(refusal, tools, problems);
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

/** Lists the skills; approves and reads a defective one, which the library must refuse. */
async function useSkills(tampered) {
  const { skills, problems } = await host.skills.list();
  const [skill] = skills;
  if (skill === undefined) return `could not list skills: ${JSON.stringify(problems)}`;
  if (tampered === 'nothing') return undefined;
  host.skills.approve(skill);
  const outcome = await host.skills.read(skill);
  return outcome.kind === 'mismatch' && outcome.what === tampered
    ? undefined
    : `not refused as it should be: ${JSON.stringify(outcome)}`;
}

/** Expects a refusal at the first request, or at the first call. */
async function refusedWith(kind, tools, [problem]) {
  const outcome = problem ?? (await host.call({ server: SERVER, tool: tools[0].tool }, {}));
  return outcome.kind === 'needs-auth' && outcome.reason?.kind === kind
    ? undefined
    : `not refused as it should be: ${JSON.stringify(outcome)}`;
}

function everyTool(tools) {
  return tools.map(({ tool, inputSchema }) => ({ tool, given: sampleOf(inputSchema) }));
}

function sampleOf({ properties = {}, required = [] }) {
  return Object.fromEntries(required.map((key) => [key, SAMPLES[properties[key]?.type] ?? 'x']));
}
