import { describe, expect, it } from 'vitest';
import type { RemoteEntry, StdioEntry } from '../../src/config/fields/server-entry.ts';
import { createConceal, ConcealingRecorder } from '../../src/connection/concealment.ts';
import { SessionSecrets } from '../../src/connection/session-secrets.ts';
import { headerSecrets, writtenSecrets } from '../../src/connection/written-secrets.ts';

const flags = { disabled: false, required: false, alwaysLoad: false };
const remote: RemoteEntry = { kind: 'http', url: 'https://e.com/mcp', headers: {}, ...flags };
const local: StdioEntry = { kind: 'stdio', command: 'x', args: [], env: {}, ...flags };

const SILENT = { keeps: 'metadata' as const, frame: () => {}, stderr: () => {}, stray: () => {} };

describe('the possible secrets of an entry', () => {
  it.each([
    ['a variable that sounds so', { ...local, env: { API_KEY: 'abcdef' } }, ['abcdef']],
    ['a variable that looks so', { ...local, env: { X: 'ghp_123456789' } }, ['ghp_123456789']],
    ['a password in an address', { ...local, env: { DB: 'pg://me:abcdef@h/db' } }, ['abcdef']],
    ['an option', { ...local, args: ['--token', 'abcdef', '--key-file=x'] }, ['abcdef']],
    ['an option with its value', { ...local, args: ['--api-key=abcdef'] }, ['abcdef']],
    ['a header', { ...remote, headers: { 'X-Any': 'abcdef' } }, ['abcdef']],
    [
      'a header with a scheme',
      { ...remote, headers: { Authorization: 'Bearer abcdef' } },
      ['Bearer abcdef', 'abcdef'],
    ],
    ['a query', { ...remote, url: 'https://e.com/?k=abc%20def' }, ['abc%20def', 'abc def']],
    ['a user', { ...remote, url: 'https://abcdef@e.com/' }, ['abcdef']],
    ['a secret of a client', { ...remote, oauth: { clientSecret: 'abcdef' } }, ['abcdef']],
    ['half a character', { ...remote, url: 'https://e.com/?k=%E0%A4%A' }, ['%E0%A4%A']],
  ] as const)('include %s', (_, entry, secrets) => {
    expect(writtenSecrets(entry)).toEqual(secrets);
  });

  it('exclude common values and very short ones', () => {
    const headers = { Accept: 'application/json', 'X-Any': 'on', 'User-Agent': 'something' };
    const env = { NODE_ENV: 'production', TOKEN: 'x', PORT: '80808080' };
    const args = ['-y', 'some-package', '--port', '80808080', 'https://e.com/path'];
    expect([
      writtenSecrets({ ...remote, headers }),
      writtenSecrets({ ...local, env, args }),
      headerSecrets(headers),
    ]).toEqual([[], [], []]);
  });
});

describe('hiding secrets in text', () => {
  it('finds a secret in plain text, in JSON and in an address', () => {
    const hide = createConceal(new Map([['NAMED', 'na"med']]), ['a b\\c/d', 'plain-one']);
    const texts = ['a b\\c/d', JSON.stringify({ x: 'a b\\c/d' }), encodeURIComponent('a b\\c/d')];
    expect([...texts, 'plain-one', '"na\\"med"'].map(hide)).toEqual([
      '(hidden)',
      '{"x":"(hidden)"}',
      '(hidden)',
      '(hidden)',
      '"${secret:NAMED}"',
    ]);
  });

  it('finds a secret that arrives in pieces, and passes on all other text', () => {
    const heard: string[] = [];
    const recorder = new ConcealingRecorder(
      {
        ...SILENT,
        stderr: (text) => void heard.push(text),
        stray: (line) => void heard.push(line),
      },
      createConceal(new Map(), ['abcdef']),
    );
    for (const piece of ['one abc', 'def two\nthree a', 'bcdef', ' end']) recorder.stderr(piece);
    recorder.flush();
    recorder.stderr('late');
    recorder.stray('on stdout: abcdef');
    expect(heard).toEqual([
      'one (hidden) two\n',
      'three (hidden) end',
      'late',
      'on stdout: (hidden)',
    ]);
  });

  it('does not buffer a line that never ends', () => {
    let length = 0;
    const recorder = new ConcealingRecorder(
      { ...SILENT, stderr: (text) => void (length += text.length) },
      (text) => text,
    );
    for (let piece = 0; piece < 100; piece += 1) recorder.stderr('x'.repeat(10_000));
    expect(length).toBeGreaterThan(900_000);
  });
});

describe('the secret arguments of calls', () => {
  it('are hidden if their names sound like a credential, at any depth', () => {
    const secrets = new SessionSecrets((text) => text.replaceAll('known', 'K'));
    secrets.learn({
      password: 'abcdef',
      pin_token: 'x',
      query: 'ordinary words',
      login: [{ access_token: 'nested-one' }],
      api_keys: ['listed-one', ['listed-two']],
    });
    expect(secrets.hide('known abcdef x ordinary words nested-one listed-one listed-two')).toBe(
      'K (hidden) x ordinary words (hidden) (hidden) (hidden)',
    );
  });

  it('are remembered up to a limit, which keeps the latest', () => {
    const secrets = new SessionSecrets(undefined);
    for (let call = 0; call < 60; call += 1) secrets.learn({ password: `secret-number-${call}.` });
    expect([9, 10, 59].map((call) => secrets.hide(`secret-number-${call}.`))).toEqual([
      'secret-number-9.',
      '(hidden)',
      '(hidden)',
    ]);
  });

  it('are searched without following cycles or excessive depth', () => {
    const circle: Record<string, unknown> = { password: 'abcdef' };
    circle['self'] = circle;
    const secrets = new SessionSecrets(undefined);
    secrets.learn(circle as never);
    expect(secrets.hide('abcdef')).toBe('(hidden)');
  });
});
