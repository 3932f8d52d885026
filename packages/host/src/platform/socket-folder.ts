// The folder with the local sockets of this user. No other user may enter it: a process that could put a socket there
// would be taken for a program of the user. It is checked before every use. A folder that is a link, belongs to another
// user or is open to others is refused rather than repaired, since its contents are unknown. Windows has no such sockets.

import type { Stats } from 'node:fs';
import { lstat, mkdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { codeOf, err, ok, type Result } from '@plugboard/base';
import type { HostEnvironment } from './host-environment.ts';

export type SocketProblem =
  | {
      readonly kind: 'unsafe';
      readonly path: string;
      readonly why: 'link' | 'wrong-type' | 'foreign' | 'open-to-others';
    }
  | { readonly kind: 'unusable'; readonly path: string; readonly code: string };

/** The maximum length of a socket's path: 103 bytes on macOS, 107 on Linux. */
const MAX_SOCKET_PATH_BYTES = 103;
/** The longest name in the folder. */
const LONGEST_NAME_BYTES = 40;

/** `undefined` on Windows, or if every path would be too long. */
export function socketFolderOf({
  env,
  paths,
  platform,
}: Pick<HostEnvironment, 'env' | 'paths' | 'platform'>): string | undefined {
  if (platform === 'win32') return undefined;
  const runtime = env['XDG_RUNTIME_DIR'];
  const candidates = [
    ...(runtime !== undefined && posix.isAbsolute(runtime) ? [join(runtime, 'plugboard')] : []),
    join(paths.state, 'shared'),
  ];
  return candidates.find(
    (path) => Buffer.byteLength(path) + 1 + LONGEST_NAME_BYTES <= MAX_SOCKET_PATH_BYTES,
  );
}

/** Creates the folder if it is missing, and verifies that only this user can enter it. */
export async function ensureSocketFolder(path: string): Promise<Result<void, SocketProblem>> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    const found = await lstat(path);
    const why = refusalOf(found, found.isDirectory());
    if (why !== undefined) return err({ kind: 'unsafe', path, why });
    return (found.mode & 0o077) === 0
      ? ok(undefined)
      : err({ kind: 'unsafe', path, why: 'open-to-others' });
  } catch (thrown) {
    return await unusable(path, thrown);
  }
}

/** Whether the path is a socket of this user; a problem if it is something else. */
export async function findSocket(path: string): Promise<Result<'there' | 'absent', SocketProblem>> {
  try {
    const found = await lstat(path);
    const why = refusalOf(found, found.isSocket());
    return why === undefined ? ok('there') : err({ kind: 'unsafe', path, why });
  } catch (thrown) {
    return codeOf(thrown) === 'ENOENT' ? ok('absent') : await unusable(path, thrown);
  }
}

function refusalOf(
  found: Stats,
  isRightType: boolean,
): (SocketProblem & { readonly kind: 'unsafe' })['why'] | undefined {
  if (found.isSymbolicLink()) return 'link';
  if (!isRightType) return 'wrong-type';
  return found.uid === process.getuid?.() ? undefined : 'foreign';
}

/** For a dangling link or a file, `mkdir` reports only that the path exists. */
async function unusable(path: string, thrown: unknown): Promise<Result<never, SocketProblem>> {
  const code = codeOf(thrown) ?? 'UNKNOWN';
  const found = await lstat(path).catch(() => undefined);
  const why = found === undefined ? undefined : refusalOf(found, found.isDirectory());
  return err(why === undefined ? { kind: 'unusable', path, code } : { kind: 'unsafe', path, why });
}
