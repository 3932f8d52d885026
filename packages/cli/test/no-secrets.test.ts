// Secrets in every possible place, with servers that repeat everything they receive. None of the secrets may appear in a stored
// file or in the output of a command.

import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Scope } from '@plugboard/base';
import {
  filesUnder,
  type Places,
  searchForSecrets,
  type SoughtSecret,
  verifies,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { atTerminal } from './person-at-terminal.ts';
import { type Sandbox, sandbox } from './sandbox.ts';

const TELLTALE = fileURLToPath(new URL('fixtures/telltale-server.mjs', import.meta.url));

/** None has the form of a well-known token, so that they must be recognised by their place. */
const PLANTED = {
  env: 'Env0-wq83-zmfj-value',
  variable: 'Var1-plmk-93xu-value',
  stored: 'Sto2-"quoted\\-value',
  argument: 'Arg3-99dk-slwo-value',
  dsn: 'Dsn4-20fk-eixm-value',
  header: 'Hdr5-44fj-vmqp-value',
  bearer: 'Brr6-81kd-wosn-value',
  user: 'Usr7-19dk-qpzm-value',
  query: 'Qry8-77sk-doel-value',
  helper: 'Hlp9-63ld-mxie-value',
  password: 'Pwd10-5kd-aqwe-value',
  apiKey: 'Key11-8sj-zbnm-value',
  nested: 'Nst12-3kf-ploi-value',
} as const;
type PlantedName = keyof typeof PLANTED;

const ARGUMENTS = [
  `password=${PLANTED.password}`,
  `api_key=${PLANTED.apiKey}`,
  `login:=${JSON.stringify({ access_token: PLANTED.nested })}`,
];

function sought(...without: readonly PlantedName[]): readonly SoughtSecret[] {
  return Object.entries(PLANTED)
    .filter(([kind]) => !without.includes(kind as PlantedName))
    .map(([kind, value]) => ({ kind, value }));
}

/** Repeats headers, address and body. The path selects how. */
async function startTelltaleHttp(scope: Scope): Promise<{ readonly port: number }> {
  const server = createServer((request, response) => {
    void answerTo(request).then(({ status, body }) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    );
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  scope.defer(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return { port: (server.address() as AddressInfo).port };
}

interface HttpAnswer {
  readonly status: number;
  readonly body: object;
}

async function answerTo(request: IncomingMessage): Promise<HttpAnswer> {
  const read = await textOf(request);
  const all = JSON.stringify([request.url, request.headers, read]);
  if (request.url?.startsWith('/refuses') === true) return { status: 401, body: { error: all } };
  if (request.url?.startsWith('/breaks') === true) return { status: 500, body: { error: all } };
  const { id, method } = (read === '' ? {} : JSON.parse(read)) as { id?: number; method?: string };
  const answer = (more: object): HttpAnswer => ({
    status: 200,
    body: { jsonrpc: '2.0', id, ...more },
  });
  if (id === undefined) return { status: 202, body: {} };
  if (method === 'initialize') {
    const serverInfo = { name: 'telltale', version: '1' };
    return answer({
      result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo },
    });
  }
  if (method === 'tools/list') {
    return answer({ result: { tools: [{ name: 'refuse', inputSchema: { type: 'object' } }] } });
  }
  return answer({ error: { code: -32_000, message: `no: ${all}`, data: { all } } });
}

async function planted(scope: Scope): Promise<Sandbox> {
  const { port } = await startTelltaleHttp(scope);
  const local = {
    command: process.execPath,
    protocol: 'legacy',
    args: [TELLTALE, '--api-key', PLANTED.argument],
    env: {
      SERVICE_TOKEN: PLANTED.env,
      SERVICE_SECRET: '${MY_VARIABLE}',
      SERVICE_PASSWORD: '${secret:STORED}',
      DATABASE: `postgres://me:${PLANTED.dsn}@127.0.0.1/db`,
    },
  };
  const at = (path: string) => ({
    type: 'http',
    protocol: 'legacy',
    url: `http://127.0.0.1:${port}/${path}?k=${PLANTED.query}`,
    headers: { 'X-Service': PLANTED.header, Authorization: `Bearer ${PLANTED.bearer}` },
  });
  const box = scope.use(await sandbox());
  const helper = await box.write(
    'helper.sh',
    `#!/bin/sh\necho '{"X-Helped": "${PLANTED.helper}"}'\n`,
  );
  await chmod(helper, 0o755);
  const stored = await box.run(['secret', 'set', 'STORED'], { stdin: PLANTED.stored });
  expect(stored).toMatchObject({ code: 0 });
  await box.servers({
    local,
    dying: { ...local, env: { ...local.env, DIES: 'yes' } },
    remote: at('speaks'),
    helped: { ...at('speaks'), headersHelper: helper },
    refusing: at('refuses'),
    breaking: at('breaks'),
    named: { type: 'http', url: `http://me:${PLANTED.user}@127.0.0.1:${port}/speaks` },
  });
  return box;
}

const SERVERS = ['local', 'dying', 'remote', 'helped', 'refusing', 'breaking', 'named'];

const CALLS: readonly (readonly string[])[] = [
  ...['work', 'refuse', 'garble', 'die', 'none'].map((tool) => ['local', tool, ...ARGUMENTS]),
  ['local', 'work', `password:=["${PLANTED.password}"]`],
  ...SERVERS.slice(1).map((server) => [server, 'refuse', ...ARGUMENTS]),
].map((words, index) => ['call', ...words, ...(index % 2 === 0 ? ['--json'] : [])]);

/** Stored records, and other requests. */
const QUESTIONS: readonly (readonly string[])[] = [
  ['list', '--check'],
  ['list', '--check', '--json'],
  ['tools'],
  ['doctor'],
  ['doctor', '--json'],
  ['auth', 'status'],
  ['pins'],
  ...SERVERS.flatMap((server) => [
    ['get', server],
    ['get', server, '--json'],
    ['explain', server],
    ['explain', server, '--json'],
    ['logs', server],
    ['trace', server],
    ['trace', server, '--json'],
  ]),
];

async function allThatIsSaid(box: Sandbox, trace: string): Promise<Places> {
  const env = { MY_VARIABLE: PLANTED.variable, PLUGBOARD_TRACE: trace };
  const places: Record<string, string> = {};
  const ask = async (args: readonly string[]): Promise<void> => {
    const { stdout, stderr } = await box.run(args, { env });
    // The words of the command are typed by the caller, and are not a secret place.
    places[args.filter((word) => !/[=:]/.test(word)).join(' ')] = stdout + stderr;
  };
  for (const commands of [CALLS, trace === 'bodies' ? QUESTIONS : []]) {
    await Promise.all(inTurns(commands, 4).map((some) => one(some, ask)));
  }
  return places;
}

/** The number of sequences that run in parallel. */
function inTurns<T>(items: readonly T[], rows: number): readonly (readonly T[])[] {
  return Array.from({ length: rows }, (_, row) => items.filter((_item, at) => at % rows === row));
}

async function one<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  for (const item of items) await act(item);
}

describe('secrets', () => {
  verifies('POL-07');

  it.for(['metadata', 'bodies'])(
    'are in no stored file and no output although servers repeat them, with a trace of %s',
    async (trace) => {
      await using scope = new Scope();
      const box = await planted(scope);
      const said = await allThatIsSaid(box, trace);
      const kept = await filesUnder(box.home);
      const names = Object.keys(kept).join('\n');
      for (const part of ['/logs/', '/trace/', '/.cache/plugboard/']) expect(names).toContain(part);
      // An empty search result proves something only if there is data.
      const all = [...Object.values(kept), ...Object.values(said)].join('\n');
      for (const words of ['called with', 'dying of', 'cannot go on', 'no: ', '(hidden)']) {
        expect(all).toContain(words);
      }
      expect(searchForSecrets(sought(), { ...said, ...kept })).toEqual([]);
    },
  );

  it('are visible in the approval prompt of a call as its arguments, and no others', async () => {
    await using scope = new Scope();
    const box = await planted(scope);
    await writeFile(
      `${await ensured(`${box.home}/.config/plugboard`)}/settings.json`,
      JSON.stringify({ permissions: { ask: ['remote/*'] } }),
    );
    const { screen } = await atTerminal(box, {
      args: ['call', 'remote', 'refuse', ...ARGUMENTS],
      turns: [['Let it run?', 'y\r']],
    });
    // The person must see the arguments that they approve.
    const [question = '', answer = ''] = screen.split('Let it run?');
    for (const kind of ['password', 'apiKey', 'nested'] as const) {
      expect(question).toContain(PLANTED[kind]);
    }
    expect(searchForSecrets(sought('password', 'apiKey', 'nested'), { question })).toEqual([]);
    expect(answer).toContain('(hidden)');
    expect(searchForSecrets(sought(), { answer })).toEqual([]);
  });
});

async function ensured(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  return folder;
}
