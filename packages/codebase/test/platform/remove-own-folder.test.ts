import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Scope } from '@plugboard/base';
import { tempFolder, waitUntil } from '@plugboard/testkit';
import { expect, it } from 'vitest';
import { removeOwnFolder } from '../../src/platform/own-folder.ts';

/** Creates one file after the other while the folder exists, at most 30,000. */
const WRITER = `
  const { writeFileSync } = require('node:fs');
  for (let at = 0; at < 30000; at += 1) writeFileSync('f' + at, '');
`;

it('a folder is removed although a program still creates files in it', async () => {
  await using scope = new Scope();
  const place = scope.use(await tempFolder());
  const folder = join(place.path, 'draft');
  await mkdir(folder);
  const writer = spawn(process.execPath, ['-e', WRITER], { cwd: folder, stdio: 'ignore' });
  const ended = once(writer, 'exit');
  scope.defer(async () => {
    writer.kill();
    await ended;
  });
  await waitUntil(async () => (await readdir(folder)).length > 0, { describe: 'a first file' });
  await removeOwnFolder(folder);
  expect(await readdir(place.path)).toEqual([]);
});
