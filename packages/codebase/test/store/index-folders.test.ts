import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ManualClock, tempFolder } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadSqlite, type OpenDatabase } from '../../src/platform/index.ts';
import { EmbeddedStore, indexFolder, markUsed, sweepIndexes } from '../../src/store/index.ts';
import { toSweep } from '../../src/store/index-folders.ts';
import { sampleFile } from './sample-files.ts';

const DAY = 24 * 60 * 60 * 1000;

async function sqlite(): Promise<OpenDatabase> {
  const loaded = await loadSqlite();
  if (!loaded.ok) throw new Error(loaded.error);
  return loaded.value;
}

async function makeIndex(folder: string, clock: ManualClock): Promise<EmbeddedStore> {
  const store = await EmbeddedStore.open({ folder, open: await sqlite(), clock });
  await markUsed(folder, '/some/root', clock);
  await store.apply({ put: [sampleFile('a.ts', [{ words: 'alpha' }])], remove: [] });
  return store;
}

describe('index folders', () => {
  it('have a name that shows their tree, and differ for every tree', () => {
    const folder = indexFolder('/cache', '/home/me/My Project');
    expect(folder).toMatch(/^\/cache\/My-Project-[0-9a-f]{16}$/);
    expect(indexFolder('/cache', '/home/you/My Project')).not.toBe(folder);
    expect(indexFolder('/cache', '/')).toMatch(/^\/cache\/root-/);
  });

  it('are removed after 30 days without use, unless they are open or not indexes', async () => {
    await using base = await tempFolder();
    const clock = new ManualClock();
    const [old, open, recent] = ['old', 'open', 'recent'].map((name) => join(base.path, name));
    if (old === undefined || open === undefined || recent === undefined) throw new Error('three');
    await (await makeIndex(old, clock))[Symbol.asyncDispose]();
    await using opened = await makeIndex(open, clock);
    await base.write('other/file.txt', 'not ours');
    await base.write('broken/used.json', 'not JSON');
    await clock.advance(31 * DAY);
    await (await makeIndex(recent, clock))[Symbol.asyncDispose]();
    const removed = await sweepIndexes({ base: base.path, clock, open: await sqlite() });
    expect(removed).toEqual([old]);
    const left = [old, open, recent, 'other/file.txt', 'broken/used.json'].map((name) =>
      existsSync(join(name.startsWith('/') ? '' : base.path, name)),
    );
    expect(left).toEqual([false, true, true, true, true]);
    expect(opened.role).toBe('writer');
  });

  it('are removed, the longest unused first, when they are too large together', () => {
    const found = [
      { usedAt: 3, bytes: 40 },
      { usedAt: 1, bytes: 40 },
      { usedAt: 2, bytes: 40 },
    ];
    expect(toSweep(found, { oldest: 0, mostBytes: 100 })).toEqual([{ usedAt: 1, bytes: 40 }]);
  });

  it('never exceed the limit together', () => {
    const index = fc.record({ usedAt: fc.nat(), bytes: fc.nat(1000) });
    fc.assert(
      fc.property(fc.array(index), fc.nat(3000), (found, mostBytes) => {
        const gone = new Set(toSweep(found, { oldest: 0, mostBytes }));
        const left = found.filter((one) => !gone.has(one));
        expect(left.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(mostBytes);
      }),
    );
  });
});
