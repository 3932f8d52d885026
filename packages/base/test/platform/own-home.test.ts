import { homedir, userInfo } from 'node:os';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ownHome } from '../../src/platform/own-home.ts';

describe('the home folder of the user', () => {
  afterEach(() => void vi.unstubAllEnvs());

  it('is the one that HOME names', () => {
    vi.stubEnv('HOME', '/home/me');
    expect(ownHome()).toBe('/home/me');
  });

  it.each(['', '.', 'relative'])('is that of the account if HOME is "%s"', (home) => {
    vi.stubEnv('HOME', home);
    expect([homedir(), ownHome()]).toEqual([home, userInfo().homedir]);
  });
});
