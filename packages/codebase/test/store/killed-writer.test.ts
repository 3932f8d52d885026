import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@plugboard/base';
import { tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { loadSqlite } from '../../src/platform/index.ts';
import { EmbeddedStore } from '../../src/store/index.ts';
import { found } from './sample-files.ts';

const PROGRAM = fileURLToPath(new URL('./fixtures/busy-writer.mjs', import.meta.url));
const FILES = 40;

/** The last round that the writer reported before it was killed. */
async function killAfter(folder: string, start: number, rounds: number): Promise<number> {
  const child = spawn(process.execPath, [PROGRAM, folder, String(start)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  let said = '';
  for await (const piece of child.stdout) {
    said += String(piece);
    if (said.split('\n').length > rounds) child.kill('SIGKILL');
  }
  await ended;
  const whole = said.slice(0, said.lastIndexOf('\n') + 1).trim();
  return whole === '' ? start - 1 : Number(whole.split('\n').at(-1));
}

describe('a writer that is killed', () => {
  verifies('COD-06');

  it('loses nothing that it had written, and leaves an intact index', async () => {
    await using folder = await tempFolder();
    const sqlite = await loadSqlite();
    if (!sqlite.ok) throw new Error(sqlite.error);
    let start = 0;
    for (const rounds of [1, 7, 2, 40, 23, 5, 61, 13, 90, 3]) {
      const last = await killAfter(folder.path, start, rounds);
      await using store = await EmbeddedStore.open({
        folder: folder.path,
        open: sqlite.value,
        clock: systemClock,
      });
      const files = await store.files();
      const newest = Math.max(...[...files.values()].map(({ size }) => size));
      // It may have been killed after writing and before reporting.
      expect([last, last + 1]).toContain(newest);
      expect(await store.state()).toMatchObject({ notes: [] });
      expect(files.size).toBe(Math.min(FILES, newest + 1));
      for (let round = Math.max(0, newest - FILES + 1); round <= newest; round += 1) {
        expect(files.get(`file${round % FILES}.ts`)).toMatchObject({ hash: `hash${round}` });
        expect(await found(store, `round${round}`)).toEqual([`file${round % FILES}.ts:1`]);
      }
      expect(await found(store, 'common', 100)).toHaveLength(files.size);
      start = newest + 1;
    }
  });
});
