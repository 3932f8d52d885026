import { describe, expect, it } from 'vitest';
import { looksLikeToken, soundsSecret } from '../src/secret-guess.ts';

describe('the name of a variable', () => {
  it.each([
    'GITHUB_TOKEN',
    'clientSecret',
    'PGPASSWORD',
    '--api-key',
    'ACCESSKEY',
    'private_key',
    'Authorization',
    'x-auth',
    'Set-Cookie',
    'credentials',
  ])('sounds secret: %s', (name) => {
    expect(soundsSecret(name)).toBe(true);
  });

  it.each(['', 'PATH', 'author', 'key', 'LANG', '--port'])('does not sound secret: %j', (name) => {
    expect(soundsSecret(name)).toBe(false);
  });
});

describe('the value of a variable', () => {
  it.each([
    'sk-0123456789',
    'ghp_0123456789',
    'github_pat_0123456789',
    'glpat-0123456789',
    'xoxb-0123456789',
    'AKIA0123456789',
    'eyJhbGciOiJIUzI1NiJ9',
    'Bearer x',
  ])('looks like a token: %s', (value) => {
    expect(looksLikeToken(value)).toBe(true);
  });

  it.each(['', 'sk-', 'sk-a b c d e f g', 'a sk-0123456789', '${TOKEN}'])(
    'does not look like a token: %j',
    (value) => {
      expect(looksLikeToken(value)).toBe(false);
    },
  );
});
