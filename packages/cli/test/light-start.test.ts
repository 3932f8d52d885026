// What commands that start nothing load: the time that they take is the time it takes to load code.

import { stat } from 'node:fs/promises';
import { everything, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { sandbox } from './sandbox.ts';

const LOADED = /load "([^"]+)"/g;
/** Less than the first library that talks to servers alone would add. */
const MAX_BYTES = 230_000;

describe.concurrent('a command that starts nothing', () => {
  verifies('CON-02');

  it.for([
    [['list']],
    [['tools']],
    [['__complete', 'bash', '--', 'plugboard', 'call', 'every', '']],
  ])('loads little code: %j', async ([args], { expect }) => {
    await using box = await sandbox({ every: everything() });
    const env = { PLUGBOARD_CODEBASE: 'on' };
    expect((await box.run(['tools'], { env })).code).toBe(0);
    const { code, stderr } = await box.run(args ?? [], {
      env: { ...env, NODE_DEBUG: 'module' },
    });
    expect(code).toBe(0);
    const files = new Set(Array.from(stderr.matchAll(LOADED), ([, file = '']) => file));
    const sizes = await Promise.all([...files].map(async (file) => (await stat(file)).size));
    expect(sizes.length).toBeGreaterThan(1);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_BYTES);
  });
});
