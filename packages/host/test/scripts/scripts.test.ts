import { Scope, systemClock } from '@plugboard/base';
import { verifies } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Scripts } from '../../src/scripts/index.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

const TOOLS = [{ path: ['one', 'wait'], name: 'one__wait' }] as const;

describe('scripts', () => {
  verifies('CTX-02');

  it('wait once four of their owner run, but not for scripts of another owner', async () => {
    const scripts = scope.use(new Scripts(systemClock));
    const begun: string[] = [];
    const open: (() => void)[] = [];
    const start = (owner: string): Promise<unknown> =>
      scripts.run('await tools.one.wait({}); return 1', {
        owner,
        tools: TOOLS,
        call: () =>
          new Promise((resolve) => {
            begun.push(owner);
            open.push(() => resolve({ ok: true, value: null }));
          }),
      });
    const all = Array.from({ length: 5 }, () => start('mallory'));
    await expect.poll(() => begun.length).toBe(4);
    all.push(start('bob'));
    await expect.poll(() => begun.length).toBe(5);
    expect(begun).toEqual(['mallory', 'mallory', 'mallory', 'mallory', 'bob']);
    open.shift()?.();
    await expect.poll(() => begun.length).toBe(6);
    for (const end of open) end();
    await Promise.all(all);
  });
});
