import { verifies } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FIELD_KEYS } from '../../../src/config/fields/entry-fields.ts';
import { readEntry } from '../../../src/config/merge/read-entry.ts';

const flags = { disabled: false, required: false, alwaysLoad: false };
const url = 'https://example.com/mcp';
const remote = { url, headers: {}, ...flags };
const OAUTH_EXAMPLE =
  '"oauth": { "clientId": "some-client", "scopes": ["read"], "callbackPort": 8123 }';
const stdio = { kind: 'stdio', command: 'npx', args: [], env: {}, ...flags };

describe('readEntry reads', () => {
  verifies('CFG-04');

  it.each([
    ['stdio of a command', { command: 'npx' }, stdio],
    ['stdio by type', { type: 'stdio', command: 'npx' }, stdio],
    [
      'stdio with all its fields',
      { command: 'npx', args: ['-y', ''], env: { A: '1' }, cwd: 'sub', envFile: '.env' },
      { ...stdio, args: ['-y', ''], env: { A: '1' }, cwd: 'sub', envFile: '.env' },
    ],
    [
      'stdio with budgets for its results',
      { command: 'npx', output: { maxTokens: 900, tools: { a: { maxCharacters: 5000 } } } },
      { ...stdio, output: { maxTokens: 900, tools: { a: { maxCharacters: 5000 } } } },
    ],
    ['http or sse of a url', { url }, { kind: 'http-or-sse', ...remote }],
    ['http by type', { type: 'http', url }, { kind: 'http', ...remote }],
    ['http by its alias', { type: 'streamable-http', url }, { kind: 'http', ...remote }],
    ['sse by type', { type: 'sse', url }, { kind: 'sse', ...remote }],
    [
      'ws by type',
      { type: 'ws', url: 'wss://example.com' },
      { kind: 'ws', ...remote, url: 'wss://example.com' },
    ],
    [
      'a remote server with all its fields',
      { url, headers: { 'X-Key': 'k' }, headersHelper: 'helper', oauth: { clientId: 'c' } },
      {
        kind: 'http-or-sse',
        ...remote,
        headers: { 'X-Key': 'k' },
        headersHelper: 'helper',
        oauth: { clientId: 'c' },
      },
    ],
    ['sdk by type', { type: 'sdk' }, { kind: 'sdk', ...flags }],
    [
      'a server with all common fields',
      {
        type: 'sdk',
        disabled: true,
        timeout: 60_000,
        hardTimeout: 90_000,
        connectTimeout: 1,
        listTimeout: 2,
        heartbeat: 1000,
        reconnect: { maxAttempts: 0, delayMs: 10 },
        tools: { include: ['a*'], exclude: [] },
        permissions: { readPermission: 'ask' },
        required: true,
        lifecycle: 'keep-alive',
        alwaysLoad: true,
        protocol: 'modern',
      },
      {
        kind: 'sdk',
        disabled: true,
        timeout: 60_000,
        hardTimeout: 90_000,
        connectTimeout: 1,
        listTimeout: 2,
        heartbeat: 1000,
        reconnect: { maxAttempts: 0, delayMs: 10 },
        tools: { include: [['a*']], exclude: [] },
        permissions: { readPermission: 'ask' },
        required: true,
        lifecycle: 'keep-alive',
        alwaysLoad: true,
        protocol: 'modern',
      },
    ],
    [
      'a server of fields given as undefined',
      { command: 'npx', cwd: undefined, url: undefined },
      stdio,
    ],
    [
      'a server whose url waits for a variable',
      { url: '${BASE}/mcp' },
      { kind: 'http-or-sse', ...remote, url: '${BASE}/mcp' },
    ],
    [
      'a server with odd keys in env',
      { command: 'npx', env: { constructor: 'x' } },
      { ...stdio, env: { constructor: 'x' } },
    ],
  ])('%s', (_, value, entry) => {
    expect(readEntry(value)).toEqual({ entry, findings: [] });
  });
});

describe('readEntry refuses', () => {
  verifies('CFG-06');

  const inValue = (path: readonly (string | number)[]) =>
    ({ severity: 'error', path, on: 'value' }) as const;
  const contradiction = { severity: 'error', code: 'command-or-url', path: [], on: 'key' } as const;
  const notObject = {
    ...inValue([]),
    code: 'wrong-type',
    message: 'The entry of a server must be an object.',
    suggestion: 'Write it like { "command": "npx", "args": ["-y", "some-package"] }.',
  };

  it.each([null, true, 3, 'npx', ['npx'], undefined])('%j, which is not an object', (value) => {
    expect(readEntry(value)).toEqual({ findings: [notObject] });
  });

  it.each([
    [{ command: 7 }, ['command'], '"command" must be text.', '"command": "npx"'],
    [
      { command: 'x', args: '-y' },
      ['args'],
      '"args" must be a list of texts.',
      '"args": ["-y", "some-package"]',
    ],
    [
      { command: 'x', args: ['a', 3] },
      ['args', 1],
      '"args[1]" must be text.',
      '"args": ["-y", "some-package"]',
    ],
    [
      { command: 'x', env: ['A=1'] },
      ['env'],
      '"env" must be an object of texts.',
      '"env": { "NAME": "value" }',
    ],
    [
      { command: 'x', env: { PORT: 80 } },
      ['env', 'PORT'],
      '"env.PORT" must be text.',
      '"env": { "NAME": "value" }',
    ],
    [
      { command: 'x', env: { A: null } },
      ['env', 'A'],
      '"env.A" must be text.',
      '"env": { "NAME": "value" }',
    ],
    [
      { command: 'x', disabled: 'true' },
      ['disabled'],
      '"disabled" must be true or false.',
      '"disabled": true',
    ],
    [
      { command: 'x', timeout: '5s' },
      ['timeout'],
      '"timeout" must be a number of milliseconds.',
      '"timeout": 60000',
    ],
    [
      { command: 'x', reconnect: true },
      ['reconnect'],
      '"reconnect" must be an object.',
      '"reconnect": { "maxAttempts": 5, "delayMs": 1000 }',
    ],
    [
      { command: 'x', tools: ['a'] },
      ['tools'],
      '"tools" must be an object.',
      '"tools": { "include": ["search_*"], "exclude": ["delete_*"] }',
    ],
    [
      { command: 'x', tools: { include: 'a' } },
      ['tools', 'include'],
      '"tools.include" must be a list of texts.',
      '"tools": { "include": ["search_*"], "exclude": ["delete_*"] }',
    ],
    [
      { command: 'x', permissions: 'all' },
      ['permissions'],
      '"permissions" must be an object.',
      '"permissions": { "deniedTools": ["delete_*"] }',
    ],
    [{ url, oauth: 'yes' }, ['oauth'], '"oauth" must be an object.', OAUTH_EXAMPLE],
    [
      { url, oauth: { callbackPort: 'abc' } },
      ['oauth', 'callbackPort'],
      '"oauth.callbackPort" must be a number.',
      OAUTH_EXAMPLE,
    ],
    [
      { url, oauth: { scopes: ['a', 7] } },
      ['oauth', 'scopes', 1],
      '"oauth.scopes[1]" must be text.',
      OAUTH_EXAMPLE,
    ],
    [
      { url, oauth: { xaa: 'yes' } },
      ['oauth', 'xaa'],
      '"oauth.xaa" must be an object.',
      OAUTH_EXAMPLE,
    ],
    [
      { url, oauth: { xaa: { issuer: 7 } } },
      ['oauth', 'xaa', 'issuer'],
      '"oauth.xaa.issuer" must be text.',
      OAUTH_EXAMPLE,
    ],
    [
      { command: 'x', listTimeout: '15s' },
      ['listTimeout'],
      '"listTimeout" must be a number of milliseconds.',
      '"listTimeout": 15000',
    ],
  ])('the wrong type in %j', (value, path, message, example) => {
    expect(readEntry(value)).toEqual({
      findings: [
        { ...inValue(path), code: 'wrong-type', message, suggestion: `Write it like ${example}.` },
      ],
    });
  });

  it.each([
    [{ command: ' ' }, ['command'], '"command" must not be empty.', '"command": "npx"'],
    [{ command: 'x', cwd: '' }, ['cwd'], '"cwd" must not be empty.', '"cwd": "./server"'],
    [
      { command: 'x', timeout: 0 },
      ['timeout'],
      '"timeout" must be at least 1.',
      '"timeout": 60000',
    ],
    [
      { command: 'x', timeout: 2 ** 31 },
      ['timeout'],
      '"timeout" must be at most 2147483647.',
      '"timeout": 60000',
    ],
    [
      { url, oauth: { callbackPort: 65_536 } },
      ['oauth', 'callbackPort'],
      '"oauth.callbackPort" must be at most 65535.',
      OAUTH_EXAMPLE,
    ],
    [
      { url, oauth: { callbackHost: '0.0.0.0' } },
      ['oauth', 'callbackHost'],
      '"oauth.callbackHost" must be "127.0.0.1" or "localhost".',
      OAUTH_EXAMPLE,
    ],
    [
      { url, oauth: { grant: 'password' } },
      ['oauth', 'grant'],
      '"oauth.grant" must be "authorization_code", "client_credentials" or "jwt-bearer".',
      OAUTH_EXAMPLE,
    ],
    [
      { command: 'x', heartbeat: 'on' },
      ['heartbeat'],
      '"heartbeat" must be "off" or a number of milliseconds.',
      '"heartbeat": 30000',
    ],
    [
      { command: 'x', heartbeat: 10 },
      ['heartbeat'],
      '"heartbeat" must be at least 1000.',
      '"heartbeat": 30000',
    ],
    [
      { command: 'x', idleTimeout: 0 },
      ['idleTimeout'],
      '"idleTimeout" must be at least 1000.',
      '"idleTimeout": 600000',
    ],
    [
      { command: 'x', lifecycle: 'always' },
      ['lifecycle'],
      '"lifecycle" must be "eager", "lazy" or "keep-alive".',
      '"lifecycle": "lazy"',
    ],
    [
      { command: 'x', protocol: '2025' },
      ['protocol'],
      '"protocol" must be "auto", "legacy" or "modern".',
      '"protocol": "auto"',
    ],
    [
      { command: 'x', reconnect: { maxAttempts: -1 } },
      ['reconnect', 'maxAttempts'],
      '"reconnect.maxAttempts" must be at least 0.',
      '"reconnect": { "maxAttempts": 5, "delayMs": 1000 }',
    ],
  ])('the bad value in %j', (value, path, message, example) => {
    expect(readEntry(value)).toEqual({
      findings: [
        { ...inValue(path), code: 'bad-value', message, suggestion: `Write it like ${example}.` },
      ],
    });
  });

  it.each([
    [
      { command: 'x', env: { 'A=B': '1' } },
      ['env', 'A=B'],
      '"env" must have names without "=", and none empty.',
      '"env": { "NAME": "value" }',
    ],
    [
      { url, headers: { 'X Y': '1' } },
      ['headers', 'X Y'],
      '"headers" must have names of HTTP headers.',
      '"headers": { "Authorization": "Bearer ${TOKEN}" }',
    ],
  ])('the bad name in %j', (value, path, message, example) => {
    expect(readEntry(value)).toEqual({
      findings: [
        {
          severity: 'error',
          path,
          on: 'key',
          code: 'bad-value',
          message,
          suggestion: `Write it like ${example}.`,
        },
      ],
    });
  });

  it('several wrong fields at once, each with its own finding', () => {
    const { entry, findings } = readEntry({ command: 1, args: 2, nonsense: 3 });
    expect({ entry, findings: findings.map(({ code, path }) => [code, path]) }).toEqual({
      entry: undefined,
      findings: [
        ['unknown-key', ['nonsense']],
        ['wrong-type', ['command']],
        ['wrong-type', ['args']],
      ],
    });
  });

  it.each([
    [
      {},
      'It has neither a "command" nor a "url".',
      'Add one of them: "command": "npx", or "url": "https://example.com/mcp".',
    ],
    [
      { command: 'x', url },
      'It has both a "command" and a "url".',
      'Keep "command" for a server to start here, or "url" for one that runs elsewhere.',
    ],
    [
      { type: 'stdio' },
      'It has no "command", which the type "stdio" needs.',
      'Add one: "command": "npx".',
    ],
    [
      { type: 'stdio', url },
      'It has no "command", which the type "stdio" needs.',
      'Remove "type", or set it to "http".',
    ],
    [
      { type: 'streamable-http' },
      'It has no "url", which the type "streamable-http" needs.',
      'Add one: "url": "https://example.com/mcp".',
    ],
    [
      { type: 'sse', command: 'x' },
      'It has no "url", which the type "sse" needs.',
      'Remove "type", or set it to "stdio".',
    ],
  ])('%j, which does not define one kind of server', (value, message, suggestion) => {
    expect(readEntry(value)).toEqual({ findings: [{ ...contradiction, message, suggestion }] });
  });

  it.each([
    ['streamableHttp', 'Use "type": "streamable-http" instead.'],
    ['htpp', 'Use "type": "http" instead.'],
    ['carrier-pigeon', 'Use one of: stdio, http, streamable-http, sse, ws, sdk.'],
    ['constructor', 'Use one of: stdio, http, streamable-http, sse, ws, sdk.'],
  ])('the unknown type %j', (type, suggestion) => {
    expect(readEntry({ type, url })).toEqual({
      findings: [
        {
          ...inValue(['type']),
          code: 'bad-value',
          message: '"type" is not a kind of server that is known.',
          suggestion,
        },
      ],
    });
  });

  it.each([
    ['http', 'example.com/mcp', 'is not a complete url', 'Write it like https://example.com/mcp.'],
    [
      'http',
      'file:///etc/passwd',
      'must start with http:// or https://',
      'Write it like https://example.com/mcp.',
    ],
    [
      'sse',
      'wss://example.com',
      'must start with http:// or https://',
      'Write it like https://example.com/mcp, or set "type": "ws".',
    ],
    [
      'ws',
      'https://example.com',
      'must start with ws:// or wss://',
      'Write it like wss://example.com/mcp, or set "type": "http".',
    ],
    [
      'http',
      'https://me:s3cret@example.com',
      'holds a user name or a password',
      'Send it as a header instead: "headers": { "Authorization": "Basic ${CREDENTIALS}" }.',
    ],
  ])('as %s the url %j, without quoting it', (type, wrong, reason, suggestion) => {
    expect(readEntry({ type, url: wrong })).toEqual({
      findings: [
        { ...inValue(['url']), code: 'bad-value', message: `"url" ${reason}.`, suggestion },
      ],
    });
  });
});

describe('readEntry accepts with a warning', () => {
  verifies('CFG-06');

  const unknown = (path: readonly string[], suggestion: string) => ({
    severity: 'warning',
    code: 'unknown-key',
    path,
    on: 'key',
    message: `"${path.join('.')}" is not a field of an entry and has no effect.`,
    suggestion,
  });
  const fields = `Remove it. The fields here are: ${FIELD_KEYS.join(', ')}.`;

  it.each([
    [{ agrs: [] }, unknown(['agrs'], 'Use "args" instead.')],
    [{ enabled: false }, unknown(['enabled'], 'Use "disabled" instead, with the opposite value.')],
    [{ environment: {} }, unknown(['environment'], 'Use "env" instead.')],
    [{ zzz: 1 }, unknown(['zzz'], fields)],
    [{ constructor: 1 }, unknown(['constructor'], fields)],
    [{ ['__proto__']: 1 }, unknown(['__proto__'], fields)],
    [JSON.parse('{ "toString": 1 }'), unknown(['toString'], fields)],
  ])('the unknown key in %j', (extra: object, finding) => {
    expect(readEntry({ command: 'npx', ...extra })).toEqual({ entry: stdio, findings: [finding] });
  });

  it('unknown nested keys', () => {
    const value = { command: 'npx', tools: { includes: [] }, reconnect: { zzz: 1 } };
    expect(readEntry(value)).toEqual({
      entry: { ...stdio, tools: {}, reconnect: {} },
      findings: [
        unknown(['tools', 'includes'], 'Use "include" instead.'),
        unknown(
          ['reconnect', 'zzz'],
          'Remove it. The fields here are: maxAttempts, delayMs, maxDelayMs.',
        ),
      ],
    });
  });

  it.each([
    [{ scope: 'x' }, ['oauth', 'scope'], 'scopes'],
    [{ client_id: '7' }, ['oauth', 'client_id'], 'clientId'],
    [{ callbackport: 1 }, ['oauth', 'callbackport'], 'callbackPort'],
    [{ xaa: { isuer: 'https://x' } }, ['oauth', 'xaa', 'isuer'], 'issuer'],
  ])('the unknown key in oauth %j, and drops it', (oauth, path, meant) => {
    expect(readEntry({ url, oauth: { account: 'a', ...oauth } })).toEqual({
      entry: {
        kind: 'http-or-sse',
        ...remote,
        oauth: 'xaa' in oauth ? { account: 'a', xaa: {} } : { account: 'a' },
      },
      findings: [unknown(path, `Use "${meant}" instead.`)],
    });
  });

  it('the type names of other hosts', () => {
    const finding = {
      ...unknown(['transport'], 'Use "type" instead.'),
      message: '"transport" is the word of other hosts for "type".',
    };
    expect(readEntry({ transport: 'sse', url })).toEqual({
      entry: { kind: 'sse', ...remote },
      findings: [finding],
    });
    expect(readEntry({ transport: 'sse', type: 'http', url })).toEqual({
      entry: { kind: 'http', ...remote },
      findings: [finding],
    });
  });

  it('fields of another kind of server', () => {
    const unused = (key: string, on: string) => ({
      severity: 'warning',
      code: 'unused-key',
      path: [key],
      on: 'key',
      message: `"${key}" has no effect on ${on}.`,
      suggestion: 'Remove it.',
    });
    expect(readEntry({ command: 'npx', headers: { A: 'b' } })).toEqual({
      entry: stdio,
      findings: [unused('headers', 'a server started by a command')],
    });
    expect(readEntry({ url, args: [] })).toEqual({
      entry: { kind: 'http-or-sse', ...remote },
      findings: [unused('args', 'a server reached by url')],
    });
    expect(readEntry({ type: 'sdk', url, cwd: '.' })).toEqual({
      entry: { kind: 'sdk', ...flags },
      findings: [
        unused('cwd', 'a server supplied by the program'),
        unused('url', 'a server supplied by the program'),
      ],
    });
  });
});

it('readEntry never throws, and yields an entry only when there is no error', () => {
  const key = fc.oneof(fc.constantFrom(...FIELD_KEYS), fc.string());
  const value = fc.oneof(fc.dictionary(key, fc.anything()), fc.anything());
  fc.assert(
    fc.property(value, (anything) => {
      const { entry, findings } = readEntry(anything);
      const isRefused = findings.some(({ severity }) => severity === 'error');
      expect(entry === undefined).toBe(isRefused);
    }),
    { numRuns: 500 },
  );
});
