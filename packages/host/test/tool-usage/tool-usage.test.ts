// The file with the usage of tools, with several conversations and hosts at once.

import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Scope } from '@plugboard/base';
import { ManualClock, tempFolder } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { ToolUsage } from '../../src/tool-usage/index.ts';
import { readCounts } from '../../src/tool-usage/use-counts.ts';

const ECHO = { server: 's', tool: 'echo' };
const ADD = { server: 's', tool: 'add' };

async function folderOf(scope: Scope): Promise<string> {
  return scope.use(await tempFolder()).path;
}

describe('the usage of tools', () => {
  it('affects the next conversation, and not the current one', async () => {
    await using scope = new Scope();
    const state = await folderOf(scope);
    const usage = await ToolUsage.open({ state, clock: new ManualClock() });
    const running = usage.conversation();
    running.used(ECHO, ['s', 'other']);
    running.used(ECHO, ['s', 'other']);
    expect(running.chanceOf(ECHO)).toBe(0);
    expect(usage.conversation().chanceOf(ECHO)).toBeCloseTo(1 / 3);
    await usage.settled();
    const later = (await ToolUsage.open({ state })).conversation();
    expect(later.chanceOf(ECHO)).toBeCloseTo(1 / 3);
    expect(later.chanceOf(ADD)).toBe(0);
  });

  it('includes counts that are not in the file yet', async () => {
    await using scope = new Scope();
    const usage = await ToolUsage.open({ state: await folderOf(scope) });
    const uses = usage.conversation();
    uses.used(ECHO, ['s']);
    // The lock of the file has been requested by now, and later uses wait for it.
    await Promise.resolve();
    uses.used(ADD, ['s']);
    for (let waited = 0; waited < 200; waited += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      expect(usage.conversation().chanceOf(ADD)).toBeCloseTo(1 / 3);
    }
    await usage.settled();
  });

  it('counts a tool once per conversation, and each server that was offered', async () => {
    await using scope = new Scope();
    const state = await folderOf(scope);
    const clock = new ManualClock();
    const usage = await ToolUsage.open({ state, clock });
    for (let time = 0; time < 4; time += 1) {
      const uses = usage.conversation();
      uses.used(ECHO, ['s', 'other']);
      uses.used(ECHO, ['s', 'other', 'late']);
      if (time === 0) uses.used(ADD, ['s', 'other', 'late']);
    }
    await usage.settled();
    const counts = readCounts(await readFile(join(state, 'tool-usage.json'), 'utf8'));
    const at = clock.now();
    expect(counts).toEqual(
      new Map([
        ['other', { at, conversations: 4, tools: new Map() }],
        [
          's',
          {
            at,
            conversations: 4,
            tools: new Map([
              ['echo', 4],
              ['add', 1],
            ]),
          },
        ],
        ['late', { at, conversations: 1, tools: new Map() }],
      ]),
    );
  });

  it('loses nothing if several hosts count at once', async () => {
    await using scope = new Scope();
    const state = await folderOf(scope);
    const clock = new ManualClock();
    const hosts = await Promise.all([1, 2, 3].map(() => ToolUsage.open({ state, clock })));
    for (let time = 0; time < 10; time += 1) {
      for (const host of hosts) host.conversation().used(ECHO, ['s']);
    }
    await Promise.all(hosts.map((host) => host.settled()));
    const counts = readCounts(await readFile(join(state, 'tool-usage.json'), 'utf8'));
    expect(counts.get('s')).toMatchObject({ conversations: 30, tools: new Map([['echo', 30]]) });
  });

  it('starts again if the file is broken', async () => {
    await using scope = new Scope();
    const state = await folderOf(scope);
    await writeFile(join(state, 'tool-usage.json'), '{"servers": [', { mode: 0o600 });
    const usage = await ToolUsage.open({ state });
    usage.conversation().used(ECHO, ['s']);
    await usage.settled();
    expect((await ToolUsage.open({ state })).conversation().chanceOf(ECHO)).toBeCloseTo(1 / 3);
  });

  it('counts within the process if nothing can be written', async () => {
    await using scope = new Scope();
    const state = join(await folderOf(scope), 'state');
    // A folder in the place of the file.
    await mkdir(join(state, 'tool-usage.json'), { recursive: true });
    const usage = await ToolUsage.open({ state });
    usage.conversation().used(ECHO, ['s']);
    await usage.settled();
    expect(usage.conversation().chanceOf(ECHO)).toBeCloseTo(1 / 3);
  });

  it.skipIf(process.platform === 'win32')('ignores a file that others can write', async () => {
    await using scope = new Scope();
    const state = await folderOf(scope);
    const usage = await ToolUsage.open({ state });
    usage.conversation().used(ECHO, ['s']);
    await usage.settled();
    await chmod(join(state, 'tool-usage.json'), 0o666);
    expect((await ToolUsage.open({ state })).conversation().chanceOf(ECHO)).toBe(0);
  });
});
