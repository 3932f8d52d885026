import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redact } from '../../../src/protocol/trace/redact.ts';

const SECRET = 'tops3cret';

describe('a message that is kept', () => {
  it('hides what looks like a credential, wherever it is', () => {
    const message = {
      params: {
        arguments: {
          apiKey: SECRET,
          deep: [{ Authorization: `Bearer ${SECRET}`, password: SECRET }],
          url: `postgres://me:${SECRET}@host/db`,
          header: `Bearer ${SECRET}`,
          text: `ghp_${SECRET}${SECRET}`,
          path: 'README.md',
        },
        _meta: { progressToken: 'p1' },
      },
    };
    expect(JSON.parse(redact(message))).toEqual({
      params: {
        arguments: {
          apiKey: '(hidden)',
          deep: [{ Authorization: '(hidden)', password: '(hidden)' }],
          url: 'postgres://(hidden)@host/db',
          header: '(hidden)',
          text: '(hidden)',
          path: 'README.md',
        },
        _meta: { progressToken: 'p1' },
      },
    });
  });

  it('never holds the value of a field that is named like a secret', () => {
    const names = fc.constantFrom('token', 'accessToken', 'client_secret', 'PASSWORD', 'X-Api-Key');
    fc.assert(
      fc.property(names, fc.string(), (name, rest) => {
        expect(redact({ [name]: `${SECRET}${rest}` })).not.toContain(SECRET);
      }),
    );
  });

  it('is no longer than allowed', () => {
    expect(redact({ text: 'x'.repeat(100_000) })).toHaveLength(4097);
  });
});
