// The amount of code that commands load, which decides how long a command takes that starts no server.

import { stat } from 'node:fs/promises';
import { everything, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { sandbox } from './sandbox.ts';

const LOADED = /load "([^"]+)"/g;
/** Less than any library that connects to servers would add. */
const MAX_BYTES = 340_000;

async function bytesLoaded(stderr: string): Promise<number> {
  const files = new Set(Array.from(stderr.matchAll(LOADED), ([, file = '']) => file));
  const sizes = await Promise.all([...files].map(async (file) => (await stat(file)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Less than a call that loads the SDK would need. */
const MAX_CALL_BYTES = 950_000;

describe('a call to a legacy server over stdio', () => {
  it('does not load the SDK, whether the server is shared or not', async ({ expect }) => {
    verifies('CON-12');
    const env = { NODE_DEBUG: 'module' };
    await using box = await sandbox({
      own: everything(),
      shared: { ...everything(), shared: true },
    });
    for (const server of ['own', 'shared', 'shared']) {
      const run = await box.runProcess(['call', server, 'echo', 'message=hi', '--yes'], { env });
      expect(run).toMatchObject({ code: 0, stdout: 'Echo: hi\n' });
      expect(await bytesLoaded(run.stderr)).toBeLessThan(MAX_CALL_BYTES);
    }
    expect((await box.runProcess(['stop'])).code).toBe(0);
  });
});

describe.concurrent('a command that starts no server', () => {
  verifies('CON-02');

  it.for([
    [['list']],
    [['tools']],
    [['__complete', 'bash', '--', 'plugboard', 'call', 'every', '']],
  ])('loads little code: %j', async ([args], { expect }) => {
    await using box = await sandbox({ every: everything() });
    const env = { PLUGBOARD_CODEBASE: 'on' };
    expect((await box.runProcess(['tools'], { env })).code).toBe(0);
    const { code, stderr } = await box.runProcess(args ?? [], {
      env: { ...env, NODE_DEBUG: 'module' },
    });
    expect(code).toBe(0);
    const bytes = await bytesLoaded(stderr);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(MAX_BYTES);
  });
});
