import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../src/temp-folder.ts';

it('a temporary folder writes below its path, reads back, and is removed when disposed', async () => {
  let path: string;
  {
    await using folder = await tempFolder();
    path = folder.path;
    expect(await folder.write('a/b.txt', 'text')).toBe(join(path, 'a/b.txt'));
    expect(await folder.mkdir('c/d')).toBe(join(path, 'c/d'));
    expect(await folder.read('a/b.txt')).toBe('text');
  }
  expect(existsSync(path)).toBe(false);
});
