import { execFile } from 'node:child_process';
import { chmod, readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { tempFolder } from '@plugboard/testkit';
import { expect, it } from 'vitest';

const SCAN = new URL('../../dist/scan/index.js', import.meta.url).href;

it('a watcher uses the API of the system, and runs no watcher program from the PATH', async () => {
  await using place = await tempFolder();
  await place.write('tree/a.ts', 'one');
  await place.write('bin/watchman', `#!/bin/sh\necho ran > "${place.path}/bin/ran"\n`);
  await chmod(join(place.path, 'bin/watchman'), 0o755);
  const program = `
    const { TreeWatch } = await import(${JSON.stringify(SCAN)});
    const watch = await TreeWatch.open({ path: process.argv[1] }, () => {});
    await watch[Symbol.asyncDispose]();`;
  const path = [join(place.path, 'bin'), process.env['PATH'] ?? ''].join(delimiter);
  await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', program, join(place.path, 'tree')],
    { env: { ...process.env, PATH: path } },
  );
  expect(await readdir(join(place.path, 'bin'))).toEqual(['watchman']);
});
