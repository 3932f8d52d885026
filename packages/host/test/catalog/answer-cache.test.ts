import { ManualClock, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { AnswerCache, type CachePolicy } from '../../src/catalog/answer-cache.ts';
import { StillSession } from '../connection/still-session.ts';

const PRIVATE: CachePolicy = { ttlMs: 1000, scope: 'private' };
const PUBLIC: CachePolicy = { ttlMs: 1000, scope: 'public' };

function setup(limits = { maxEntries: 3, maxSize: 1000 }) {
  const clock = new ManualClock();
  const cache = new AnswerCache(clock, limits);
  const { session } = new StillSession();
  const put = (key: string, value: unknown, keeping: CachePolicy = PRIVATE, mark = 'me'): void =>
    cache.put(session, key, { value, keeping, mark, age: cache.ageOf(session) });
  const get = (key: string, mark = 'me') => cache.get(session, key, mark)?.value;
  return { clock, cache, session, put, get };
}

describe('cached answers', () => {
  verifies('CAT-08');

  it('are returned again until they expire', async () => {
    const { clock, put, get } = setup();
    put('a', 1);
    await clock.advance(999);
    expect(get('a')).toBe(1);
    await clock.advance(1);
    expect(get('a')).toBeUndefined();
  });

  it('are kept for a day at most, and not at all if caching is not allowed', async () => {
    const { clock, put, get } = setup();
    put('long', 1, { ttlMs: Number.MAX_SAFE_INTEGER, scope: 'public' });
    put('none', 1, { ttlMs: 0, scope: 'public' });
    put('told', 1, 'told');
    await clock.advance(24 * 60 * 60_000);
    expect([get('long'), get('none'), get('told')]).toEqual([undefined, undefined, 1]);
  });

  it('that are private are never returned for other credentials', () => {
    const { put, get } = setup();
    put('private', 'mine');
    put('told', 'mine too', 'told');
    put('public', 'ours', PUBLIC);
    expect([get('private', 'you'), get('told', 'you'), get('public', 'you')]).toEqual([
      undefined,
      undefined,
      'ours',
    ]);
    // The answer for the other credentials is gone.
    expect(get('private')).toBeUndefined();
  });

  it('belong to one session only', () => {
    const { cache, put } = setup();
    put('a', 1, PUBLIC);
    expect(cache.get(new StillSession().session, 'a', 'me')).toBeUndefined();
  });

  it('are dropped on request, together with pending ones', () => {
    const { cache, session, put, get } = setup();
    put('read x', 1);
    put('list', 2);
    const age = cache.ageOf(session);
    cache.drop(session, 'read');
    cache.put(session, 'read y', { value: 3, keeping: PRIVATE, mark: 'me', age });
    expect([get('read x'), get('read y'), get('list')]).toEqual([undefined, undefined, 2]);
  });

  it('are bounded in number: the least recently used goes first', () => {
    const { cache, put, get } = setup();
    for (const key of ['a', 'b', 'c']) put(key, key);
    get('a');
    put('d', 'd');
    expect([get('a'), get('b'), get('c'), get('d'), cache.size]).toEqual([
      'a',
      undefined,
      'c',
      'd',
      3,
    ]);
  });

  it('are bounded in size, and one that is too large is not kept', () => {
    const { cache, put, get } = setup({ maxEntries: 100, maxSize: 1000 });
    put('huge', 'x'.repeat(300));
    for (let index = 0; index < 50; index += 1) put(`k${index}`, 'x'.repeat(198));
    expect([get('huge'), cache.size, get('k49')]).toEqual([undefined, 5, 'x'.repeat(198)]);
  });
});
