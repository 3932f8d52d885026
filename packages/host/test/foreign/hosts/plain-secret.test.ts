import { describe, expect, it } from 'vitest';
import { plainSecrets } from '../../../src/foreign/hosts/plain-secret.ts';

const found = (entry: Readonly<Record<string, unknown>>): readonly string[] =>
  plainSecrets(entry).map((note) => ('field' in note ? note.field : note.kind));

describe('a plain-text secret in an entry', () => {
  it('is found by its name, by its form, and in arguments', () => {
    expect(
      found({
        env: { API_KEY: 'x', MODE: 'fast', OTHER: 'ghp_0123456789' },
        headers: { Authorization: 'Bearer x', 'X-Author': 'me', Cookie: 'id=1' },
        args: ['--token', 'x', '--port', '80', '-e', 'DB_PASSWORD=x', 'sk-0123456789'],
      }),
    ).toEqual([
      'env.API_KEY',
      'env.OTHER',
      'headers.Authorization',
      'headers.Cookie',
      'args[1]',
      'args[5]',
      'args[6]',
    ]);
  });

  it('is not found in a placeholder or an attempt at one', () => {
    expect(
      found({
        env: { API_KEY: '${API_KEY}', TOKEN: ' ' },
        headers: { Authorization: 'Bearer $${TOKEN}' },
        args: ['--token', '${secret:T}'],
      }),
    ).toEqual([]);
  });
});
