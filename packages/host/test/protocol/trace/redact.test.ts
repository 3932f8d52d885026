import * as fc from 'fast-check';
import { processorMs } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { redact } from '../../../src/protocol/trace/redact.ts';

const SECRET = 'tops3cret';

describe('a redacted message', () => {
  it('hides what looks like a credential, at any place', () => {
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

  it('never contains the value of a field that is named like a secret', () => {
    const names = fc.constantFrom('token', 'accessToken', 'client_secret', 'PASSWORD', 'X-Api-Key');
    fc.assert(
      fc.property(names, fc.string(), (name, rest) => {
        expect(redact({ [name]: `${SECRET}${rest}` })).not.toContain(SECRET);
      }),
    );
  });

  it.each([
    ['postgres://me:tops3cret@host/db', 'postgres://(hidden)@host/db'],
    ['x https://u:p@ss@h, git+ssh://git@h2/r', 'x https://(hidden)@h, git+ssh://(hidden)@h2/r'],
    ['https://host/a@b', 'https://host/a@b'],
    ['mail a@b.c', 'mail a@b.c'],
  ])('hides the user in an address: %s', (text, kept) => {
    expect(redact(text)).toBe(JSON.stringify(kept));
  });

  it.each([
    ['letters', 'x'],
    ['schemes', 'a://'],
    ['beginnings of addresses', '://a:'],
    ['signs', '@'],
  ])('is made in linear time, for %s too', async (_, piece) => {
    const text = piece.repeat(10_000_000 / piece.length);
    // Quadratic time would be hours.
    expect(await processorMs(() => redact({ text }))).toBeLessThan(2000);
  });

  it('hides tokens in the middle of a text', () => {
    const text = `use ghp_${SECRET}${SECRET} or "Bearer ${SECRET}", not ghp_short`;
    expect(redact(text)).toBe(JSON.stringify('use (hidden) or "(hidden)", not ghp_short'));
  });

  it('hides a credential that its length limit would cut in two', () => {
    const text = `${'x'.repeat(90)} https://me:${SECRET}@host/`;
    expect(redact({ text }, 115)).not.toContain('tops');
  });

  it('accepts another length limit', () => {
    const message = { list: Array.from({ length: 1000 }, () => ({ text: 'x'.repeat(1000) })) };
    expect(redact(message, 5000)).toHaveLength(5001);
    expect(redact({ text: 'short' }, 5000)).toBe('{"text":"short"}');
  });

  it('is no longer than allowed', () => {
    expect(redact({ text: 'x'.repeat(100_000) })).toHaveLength(4097);
  });

  it('is searched only within its length limit', async () => {
    const texts = ['x'.repeat(2_000_000), 'x://'.repeat(500_000), `x://${'y:'.repeat(1_000_000)}`];
    // Trying every start with every end would take hours.
    const took = await processorMs(() => texts.forEach((text) => redact({ text })));
    expect(took).toBeLessThan(10_000);
  });
});
