import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { never, systemClock } from '@plugboard/base';
import { type TempFolder, tempFolder, verifies } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  FileReader,
  type FileRequest,
  type ReadingPool,
  readingPool,
} from '../../src/indexing/index.ts';

let place: TempFolder;
let pool: ReadingPool;
let reader: FileReader;

beforeEach(async () => {
  place = await tempFolder();
  await place.write('tree/a.ts', 'export function retryDelay(): number {\n  return 5;\n}\n');
  await place.write('outside/secret.ts', 'export const secret = 1;\n');
  pool = readingPool(systemClock);
  reader = new FileReader({ path: join(place.path, 'tree') }, pool);
});
afterEach(async () => {
  await pool.close();
  await place[Symbol.asyncDispose]();
});

function asked(path: string, knownHash?: string): FileRequest {
  return { path, knownHash, wants: 'words' };
}

describe('reading files for the index', () => {
  verifies('COD-06');

  it('returns the chunks of a new file, and none for a file that has not changed', async () => {
    const read = await reader.read(asked('a.ts'), never);
    expect(read).toMatchObject({
      kind: 'put',
      file: { path: 'a.ts', language: 'typescript' },
    });
    if (read.kind !== 'put') return;
    expect(
      read.file.chunks.map(({ symbol, startLine, endLine }) => [symbol, startLine, endLine]),
    ).toEqual([['retryDelay', 1, 3]]);
    expect(read.file.chunks[0]?.terms).toContain('retri');
    const again = await reader.read(asked('a.ts', read.file.hash), never);
    expect(again.kind).toBe('same');
    expect(read.signatures.size).toBe(0);
    const signed = await reader.read(
      { path: 'a.ts', knownHash: undefined, wants: 'signatures' },
      never,
    );
    const signatures = signed.kind === 'put' ? [...signed.signatures.keys()] : [];
    expect(signatures).toEqual([read.file.chunks[0]?.signatureHash]);
  });

  it.each(['../outside/secret.ts', '/etc/passwd', 'link.ts', 'folder/secret.ts'])(
    'reads nothing outside of the root: %s',
    async (path) => {
      await symlink(join(place.path, 'outside/secret.ts'), join(place.path, 'tree/link.ts'));
      await symlink(join(place.path, 'outside'), join(place.path, 'tree/folder'));
      expect(await reader.read(asked(path), never)).toEqual({ kind: 'gone', path });
    },
  );

  it('returns nothing when the root is gone or was replaced by a link', async () => {
    await rename(join(place.path, 'tree'), join(place.path, 'away'));
    expect(await reader.read(asked('a.ts'), never)).toEqual({ kind: 'unknown' });
    await symlink(join(place.path, 'outside'), join(place.path, 'tree'));
    expect(await reader.read(asked('secret.ts'), never)).toEqual({ kind: 'unknown' });
  });

  it.runIf(process.platform === 'linux')(
    'runs at a lower priority than the process that started it',
    async () => {
      await reader.read(asked('a.ts'), never);
      const readers = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)])
        .toString()
        .split('\n')
        .filter((line) => line.includes('reading-program'))
        .map((line) => line.trim().split(' ')[0]!);
      expect(readers.length).toBeGreaterThan(0);
      const nice = readers.flatMap((pid) =>
        readdirSync(`/proc/${pid}/task`).map((task) => nicenessOf(`/proc/${pid}/task/${task}`)),
      );
      expect(Math.min(...nice)).toBeGreaterThan(nicenessOf('/proc/self'));
    },
  );
});

function nicenessOf(task: string): number {
  const stat = readFileSync(`${task}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
}
