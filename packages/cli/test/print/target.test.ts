import type { ServerEntry } from '@plugboard/host/configuration';
import { describe, expect, it } from 'vitest';
import { holdSecret, looksSecret, maskValue, targetOf } from '../../src/print/target.ts';

const COMMON = { disabled: false, required: false, alwaysLoad: false } as const;

function stdio(...args: string[]): ServerEntry {
  return { ...COMMON, kind: 'stdio', command: 'npx', args, env: {} };
}

describe('the printed target of a server', () => {
  it('can be copied into a shell', () => {
    expect(targetOf(stdio('-y', 'a b', "it's", '${HOME}/x', ''))).toBe(
      'npx -y "a b" "it\'s" ${HOME}/x ""',
    );
  });

  it.each([
    [['--token', 's3cret'], 'npx --token (hidden)'],
    [['--api-key=s3cret', '--apiKey', 's3cret'], 'npx --api-key=(hidden) --apiKey (hidden)'],
    [['-e', 'GITHUB_TOKEN=s3cret', 'image'], 'npx -e GITHUB_TOKEN=(hidden) image'],
    [['--header', 'Authorization: Bearer s3cret'], 'npx --header (hidden)'],
    [['ghp_s3crets3cret', 'sk-s3crets3cret'], 'npx (hidden) (hidden)'],
    [['postgres://me:s3cret@host:5432/db?sslkey=s3cret'], 'npx postgres://host:5432/db'],
    [['postgres://me:s3/cr@et@host/db'], 'npx postgres://host/db'],
  ])('hides possible secrets in %j', (args, shown) => {
    expect(targetOf(stdio(...args))).toBe(shown);
  });

  it.each([
    [['--token', '${TOKEN}']],
    [['-e', 'API_KEY=${KEY}']],
    [['--author', 'me', '--verbose']],
    [['http://localhost:8080/@scope/x']],
  ])('shows variables and harmless words: %j', (args) => {
    expect(targetOf(stdio(...args))).toBe(['npx', ...args].join(' '));
  });
});

describe('maskValue', () => {
  it.each(['${A}', 'Bearer ${A}', 'Basic ${A}', '${A}${B}', 'Bearer ${secret:a.b-c}'])(
    'shows %s',
    (value) => {
      expect(maskValue(value)).toBe(value);
    },
  );
  it.each([
    '${A}',
    'Bearer ${A}',
    'Basic ${A}',
    '${A}${B}',
    '${secret:A}',
    'Bearer ${secret:a-b.c}',
  ])('shows %s', (value) => {
    expect(maskValue(value)).toBe(value);
  });

  it.each([
    's3cret',
    'Bearer s3cret',
    '${A:-s3cret}',
    '${A}s3cret',
    '${secret:A}s3cret',
    's3 ${A}',
    '',
  ])('hides %s', (value) => {
    expect(maskValue(value)).toBe('(hidden)');
  });
});

describe('a plain-text secret', () => {
  it.each([
    ['API_KEY', 's3cret'],
    ['Authorization', 'Bearer s3cret'],
    ['X', 'ghp_s3crets3cret'],
    ['TOKEN', '${TOKEN:-s3cret}'],
  ])('is detected in %s=%s', (name, value) => {
    expect(looksSecret(name, value)).toBe(true);
  });

  it.each([
    ['API_KEY', '${API_KEY}'],
    ['Authorization', 'Bearer ${secret:TOKEN}'],
    ['MODE', 'fast'],
    ['AUTHOR', 'me'],
  ])('is not detected in %s=%s', (name, value) => {
    expect(looksSecret(name, value)).toBe(false);
  });

  it.each([
    [['npx', '--token', 's3cret']],
    [['npx', '-e', 'API_KEY=s3cret']],
    [['npx', 'sk-s3crets3cret']],
    [['https://me:s3cret@example.com']],
    [['https://example.com/mcp?api_key=s3cret']],
    [['npx', 'https://example.com/?x=1&access_token=s3cret']],
  ])('is detected in %j', (words) => {
    expect(holdSecret(words)).toBe(true);
  });

  it.each([
    [['npx', '--token', '${TOKEN}']],
    [['npx', '--verbose', '(hidden)']],
    [['https://example.com/mcp?team=a#b']],
    [['https://example.com/mcp?api_key=${secret:KEY}']],
    [['http://localhost:8080/@scope/x']],
  ])('is not detected in %j', (words) => {
    expect(holdSecret(words)).toBe(false);
  });
});
