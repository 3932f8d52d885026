import { silentLogger } from '@plugboard/base';
import { ManualClock, type TempFolder, tempFolder, verifies } from '@plugboard/testkit';
import { readdir, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CatalogStore } from '../../src/catalog/catalog-store.ts';
import type { StoredList } from '../../src/catalog/stored-server.ts';

const DAY_MS = 24 * 60 * 60_000;
const tools = [{ name: 'echo', inputSchema: { type: 'object' } }];

function listAt(at: number): StoredList {
  return { at, tools, instructions: 'be kind' };
}

function storeIn(folder: TempFolder, clock: ManualClock): CatalogStore {
  return new CatalogStore({ cache: folder.path, clock, logger: silentLogger });
}

describe('the stored catalogue', () => {
  verifies('CON-02');

  it('returns what an earlier run saved, readable by the owner only', async () => {
    await using folder = await tempFolder();
    const clock = new ManualClock();
    const store = storeIn(folder, clock);
    store.saveList('one', listAt(clock.now()));
    store.saveVerdict('one', { era: 'modern', at: 5 });
    await store.settled();
    const later = storeIn(folder, clock);
    expect(await later.list('one')).toEqual(listAt(clock.now()));
    expect(await later.verdict('one')).toEqual({ era: 'modern', at: 5 });
    expect(await later.list('two')).toBeUndefined();
    expect((await stat(join(folder.path, 'catalog/one.json'))).mode & 0o777).toBe(0o600);
    expect(await readdir(join(folder.path, 'catalog'))).toEqual(['one.json']);
  });

  it('removes a verdict and keeps the list', async () => {
    await using folder = await tempFolder();
    const clock = new ManualClock();
    const store = storeIn(folder, clock);
    store.saveList('one', listAt(clock.now()));
    store.saveVerdict('one', { era: 'legacy', at: 5 });
    store.saveVerdict('one', undefined);
    await store.settled();
    const later = storeIn(folder, clock);
    expect(await later.verdict('one')).toBeUndefined();
    expect(await later.list('one')).toEqual(listAt(clock.now()));
  });

  it('keeps the date of an unchanged list, for an hour', async () => {
    await using folder = await tempFolder();
    const clock = new ManualClock();
    const store = storeIn(folder, clock);
    const start = clock.now();
    store.saveList('one', listAt(start));
    store.saveList('one', listAt(start + 1000));
    expect(await store.settled().then(() => store.list('one'))).toEqual(listAt(start));
    store.saveList('one', listAt(start + DAY_MS));
    expect(await store.settled().then(() => store.list('one'))).toEqual(listAt(start + DAY_MS));
  });

  it('ignores a list that is a month old, and removes its file', async () => {
    await using folder = await tempFolder();
    const clock = new ManualClock();
    const store = storeIn(folder, clock);
    store.saveList('old', listAt(clock.now()));
    await store.settled();
    await utimes(join(folder.path, 'catalog/old.json'), 0, clock.now() / 1000);
    await clock.advance(31 * DAY_MS);
    expect(await store.list('old')).toBeUndefined();
    const later = storeIn(folder, clock);
    later.saveList('new', listAt(clock.now()));
    await later.settled();
    expect(await readdir(join(folder.path, 'catalog'))).toEqual(['new.json']);
  });

  it.for([
    ['is not JSON', '{"format":1,'],
    ['has another form', '{"format":2,"list":{"at":1,"tools":[]}}'],
    ['is a list', '[]'],
    ['holds a tool without a schema', '{"format":1,"list":{"at":1,"tools":[{"name":"x"}]}}'],
    ['holds an era that there is not', '{"format":1,"verdict":{"era":"old","at":1}}'],
  ])('ignores a file that %s', async ([, text]) => {
    await using folder = await tempFolder();
    await folder.write('catalog/one.json', text ?? '');
    const store = storeIn(folder, new ManualClock());
    expect(await store.list('one')).toBeUndefined();
    expect(await store.verdict('one')).toBeUndefined();
  });

  it('does not store a list beyond its bounds, and continues', async () => {
    await using folder = await tempFolder();
    const clock = new ManualClock();
    const store = storeIn(folder, clock);
    const description = 'x'.repeat(5 * 1024 * 1024);
    store.saveList('huge', { ...listAt(clock.now()), tools: [{ ...tools[0]!, description }] });
    await store.settled();
    expect(await storeIn(folder, clock).list('huge')).toBeUndefined();
  });

  it('continues if nothing can be written', async () => {
    await using folder = await tempFolder();
    await folder.write('catalog', 'a file where the folder should be');
    const clock = new ManualClock();
    const store = storeIn(folder, clock);
    store.saveList('one', listAt(clock.now()));
    await store.settled();
    expect(await store.list('one')).toEqual(listAt(clock.now()));
  });
});
