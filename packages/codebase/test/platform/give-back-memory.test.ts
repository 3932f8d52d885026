import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

describe('giving back memory', () => {
  it('frees unused memory, and leaves the V8 settings of the program unchanged', async () => {
    const door = new URL('../../dist/platform/index.js', import.meta.url).href;
    const program = `
      const { giveBackMemory } = await import(${JSON.stringify(door)});
      let all = Array.from({ length: 2_000_000 }, (_, n) => ({ n }));
      const before = process.memoryUsage().heapUsed;
      all = undefined;
      giveBackMemory();
      const after = process.memoryUsage().heapUsed;
      console.log(JSON.stringify({ isLess: after < before / 2, gc: typeof globalThis.gc }));
    `;
    const args = ['--input-type=module', '--eval', program];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(JSON.parse(stdout)).toEqual({ isLess: true, gc: 'undefined' });
  });
});
