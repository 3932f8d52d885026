import type { ServerEntry } from '@plugboard/host/configuration';
import { describe, expect, it } from 'vitest';
import { maskValue, targetOf } from '../../src/print/target.ts';

const COMMON = { disabled: false, required: false, alwaysLoad: false } as const;

function stdio(...args: string[]): ServerEntry {
  return { ...COMMON, kind: 'stdio', command: 'npx', args, env: {} };
}

describe('what a server runs', () => {
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
  ])('hides what may be secret in %j', (args, shown) => {
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
  it.each(['${A}', 'Bearer ${A}', 'Basic ${A}', '${A}${B}'])('shows %s', (value) => {
    expect(maskValue(value)).toBe(value);
  });

  it.each(['s3cret', 'Bearer s3cret', '${A:-s3cret}', '${A}s3cret', 's3 ${A}', ''])(
    'hides %s',
    (value) => {
      expect(maskValue(value)).toBe('(hidden)');
    },
  );
});
