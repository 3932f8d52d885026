// A registry of npm packages on this machine, with one package: a program of one file.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { tempFolder } from '@plugboard/testkit';

export interface NpmRegistry extends AsyncDisposable {
  readonly url: string;
  /** The requested paths. */
  readonly asked: readonly string[];
}

export interface OnePackage {
  readonly name: string;
  readonly version: string;
  /** An ES module that Node runs. */
  readonly program: string;
}

export async function npmRegistry({ name, version, program }: OnePackage): Promise<NpmRegistry> {
  await using folder = await tempFolder();
  const manifest = { name, version, type: 'module', bin: { [name]: 'main.js' } };
  await folder.write('package/package.json', JSON.stringify(manifest));
  await chmod(await folder.write('package/main.js', `#!/usr/bin/env node\n${program}`), 0o755);
  await promisify(execFile)('tar', ['-czf', 'package.tgz', 'package'], { cwd: folder.path });
  const archive = await readFile(`${folder.path}/package.tgz`);
  const shasum = createHash('sha1').update(archive).digest('hex');
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (request.url?.endsWith('.tgz') === true) return response.end(archive);
    const dist = { tarball: `${url}/${name}-${version}.tgz`, shasum };
    const versions = { [version]: { ...manifest, dist } };
    response.setHeader('content-type', 'application/json');
    return response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
