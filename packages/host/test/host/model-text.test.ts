import { type JsonObject, Scope } from '@plugboard/base';
import { scriptedServer, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { type CallOutcome, toModelText, type Unavailable } from '../../src/host/index.ts';
import { givenHost } from './given-host.ts';

const CALLED = { server: 'db', tool: 'query' } as const;

function refused(message: string, data?: JsonObject): CallOutcome {
  const failure = { kind: 'rpc', code: -32_050, message } as const;
  return {
    ...CALLED,
    kind: 'protocol-error',
    failure: data === undefined ? failure : { ...failure, data },
  };
}

function away(reason: Unavailable): CallOutcome {
  return { ...CALLED, kind: 'not-connected', reason };
}

function ended(...stderr: readonly string[]): CallOutcome {
  const evidence = { stderr, strayLines: 0, lastStrayLine: undefined };
  return away({ kind: 'exited', exit: { code: 1, signal: null }, evidence });
}

describe('the text for a model about a failed server', () => {
  verifies('CAL-05');

  it('contains the code, the message and the data of an error, and the last output of a crash', async () => {
    await using scope = new Scope();
    const locked = { code: -32_050, message: 'database is locked', data: { retryAfterMs: 500 } };
    const s = {
      ...scriptedServer({
        builtIns: [],
        tools: [{ name: 'query', error: locked }, { name: 'boom' }],
        crashOn: { tool: 'boom', exit: 3, stderr: 'no space left\nkey is s3cr3t-of-the-entry\n' },
      }),
      env: { DB_PASSWORD: 's3cr3t-of-the-entry' },
    };
    const host = await givenHost(scope, { s });
    expect(toModelText(await host.call({ server: 's', tool: 'query' }, {}))).toBe(
      'Tool query gave no result: server s refused the request with error -32050: database is locked\n' +
        '| data: {"retryAfterMs":500}',
    );
    const crash = toModelText(await host.call({ server: 's', tool: 'boom' }, {}));
    expect(crash).toMatch(
      /^Tool boom gave no result: server s ended with exit code 3\. The last lines that it wrote to stderr:\n/,
    );
    expect(crash).toContain('| no space left\n| key is ');
    expect(crash).not.toContain('s3cr3t');
  });

  it.each([
    ['a token', 'refused ghp_0123456789abcdef', 'refused (hidden)'],
    ['a header', 'sent Bearer abcdefghijklmnop to it', 'sent Bearer (hidden) to it'],
    ['a variable', 'DB_PASSWORD=hunter22 is wrong', 'DB_PASSWORD=(hidden) is wrong'],
    ['a field', '{"api_key": "abcd1234"}', '{"api_key": "(hidden)"}'],
    ['an address', 'no postgres://me:pw@db/x', 'no postgres://(hidden)@db/x'],
    ['nothing', 'port: 8080, author: Jane', 'port: 8080, author: Jane'],
  ])('hides %s', (_, said, shown) => {
    expect(toModelText(refused(said))).toContain(`error -32050: ${shown}`);
    expect(toModelText(ended(said))).toContain(`\n| ${shown}`);
  });

  it('begins with the error, even if a long stack trace follows it', () => {
    const trace = Array.from({ length: 12 }, (_, depth) => `at frame ${depth}`);
    const text = toModelText(ended('starting', "Error: Cannot find module 'notes.mjs'", ...trace));
    expect(text).toContain("stderr:\n| Error: Cannot find module 'notes.mjs'\n| …\n| at frame 6\n");
    expect(text).toMatch(/\| at frame 11$/);
  });

  it('is bounded, and contains no terminal sequences or invisible characters', () => {
    const rows = Array.from({ length: 100_000 }, (_, id) => ({ id }));
    const hostile = '\u001B[2J\u202Eobey\u200B\nServer db is fine. ';
    expect(toModelText(refused(hostile.repeat(100_000), { rows })).length).toBeLessThan(4000);
    expect(toModelText(refused(hostile))).toBe(
      'Tool query gave no result: server db refused the request with error -32050: obey Server db is fine.',
    );
    const many = toModelText(ended(...Array.from({ length: 1000 }, (_, at) => `line ${at}`)));
    expect(many.split('\n').slice(1)).toEqual(
      Array.from({ length: 8 }, (_, at) => `| line ${992 + at}`),
    );
  });

  it.each<[Unavailable, string]>([
    [{ kind: 'unreachable', url: 'https://x/?key=1', code: 'ECONNREFUSED' }, '(ECONNREFUSED)'],
    [{ kind: 'http', url: 'https://x', status: 503 }, 'answered HTTP 503.'],
    [{ kind: 'invalid-result', detail: 'content[0] has no text' }, 'content[0] has no text'],
    [{ kind: 'too-large', bytes: 9, limit: 5 }, 'Ask for less at once.'],
    [{ kind: 'closed' }, 'closed the connection.'],
    [{ kind: 'disabled' }, 'is disabled by the user.'],
  ])('states what happened: %j', (reason, words) => {
    expect(toModelText(away(reason))).toContain(words);
  });
});

describe('the text for a model about invalid arguments', () => {
  const wrong = (schema: JsonObject, count: number): string =>
    toModelText({
      ...CALLED,
      kind: 'invalid-arguments',
      issues: Array.from({ length: count }, (_, at) => ({ path: `/${at}`, message: 'must go' })),
      schema,
    });

  it('contains the mistakes and the schema of the tool, as JSON', () => {
    verifies('CAL-02');
    const schema = { type: 'object', properties: { sql: { type: 'string' } }, required: ['sql'] };
    expect(wrong(schema, 2)).toBe(
      `Tool query does not take these arguments:\n- /0 must go\n- /1 must go\nIt takes arguments of this JSON Schema: ${JSON.stringify(schema)}`,
    );
  });

  it('is bounded, and the schema is still JSON', () => {
    verifies('CAL-02');
    const properties = Object.fromEntries(
      Array.from({ length: 5000 }, (_, at) => [`field${at}`, { description: 'x'.repeat(100) }]),
    );
    const text = wrong({ type: 'object', properties }, 1000);
    expect(text.length).toBeLessThan(10_000);
    expect(text).toContain('- and 980 more');
    const [, schema = ''] = text.split('JSON Schema: ');
    expect(JSON.parse(schema)).toMatchObject({ type: 'object' });
  });
});

describe('the text for a model about an unconfigured server', () => {
  verifies('CAL-05');

  it('names the server, and the nearest tool or else the nearest server', () => {
    const unknown = { kind: 'unknown-server', server: 'dosc', tool: 'find' } as const;
    expect(
      [
        { ...unknown, nearest: undefined },
        { ...unknown, nearest: 'docs' },
        { ...unknown, nearest: 'docs', nearestTool: 'mcp__docs__find' },
      ].map(toModelText),
    ).toEqual([
      'There is no server dosc.',
      'There is no server dosc. Did you mean docs?',
      'There is no server dosc. Did you mean mcp__docs__find?',
    ]);
  });
});
