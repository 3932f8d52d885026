// Finds the MCP servers of editors that have the working directory open, from the files that editors write.
// Connects to nothing. Files that are stale, broken, of another user or for other folders are skipped
// silently, since no user wrote them as configuration.

import { posix, win32 } from 'node:path';
import type { Origin } from '../config/index.ts';
import { type HostEnvironment, isRunning, ownFiles, readTextFile } from '../platform/index.ts';
import {
  fitOf,
  type IdeEntry,
  type IdeFile,
  type IdeLock,
  readClaudeLock,
  readGeminiFile,
} from './ide-lock.ts';

export const EDITOR_ORIGIN = { kind: 'given', by: 'your editor' } as const satisfies Origin;

/** Whether a server was announced by an editor. */
export function isOfEditor({ origin }: { readonly origin: Origin }): boolean {
  return origin.kind === 'given' && origin.by === EDITOR_ORIGIN.by;
}

const MAX_FILE_BYTES = 64 * 1024;

/** Entries by name: `ide` is the best match, `ide-2` the next, skipping names that are taken. They contain tokens. */
export async function ideServers(
  environment: HostEnvironment,
  taken: ReadonlySet<string> = new Set(),
): Promise<Readonly<Record<string, IdeEntry>>> {
  const { platform } = environment;
  const [claude, gemini] = await Promise.all([
    locksIn(ideFolder(environment), readClaudeLock),
    locksIn(geminiFolder(environment), (file) => readGeminiFile(file, platform)),
  ]);
  const entries = ranked([...claude, ...gemini], environment).map(({ entry }) => entry);
  const free = Array.from({ length: entries.length + taken.size }, (_, index) =>
    index === 0 ? 'ide' : `ide-${index + 1}`,
  ).filter((name) => !taken.has(name));
  return Object.fromEntries(entries.map((entry, index) => [free[index] ?? '', entry]));
}

/** Sorts the editor of the current terminal first, then by the innermost open folder. */
function ranked(
  locks: readonly FoundLock[],
  { cwd, platform, env }: HostEnvironment,
): readonly FoundLock[] {
  const own = new Set([env['CLAUDE_CODE_SSE_PORT'], env['GEMINI_CLI_IDE_SERVER_PORT']]);
  return locks
    .filter(({ pid }) => pid === undefined || isRunning(pid))
    .map((lock) => ({ lock, fit: fitOf(lock, cwd, platform), isOwn: own.has(String(lock.port)) }))
    .filter(({ fit }) => fit !== undefined)
    .toSorted(
      (a, b) =>
        Number(b.isOwn) - Number(a.isOwn) ||
        (b.fit ?? 0) - (a.fit ?? 0) ||
        b.lock.changedAt - a.lock.changedAt,
    )
    .map(({ lock }) => lock);
}

interface FoundLock extends IdeLock {
  readonly changedAt: number;
}

async function locksIn(
  folder: string,
  read: (file: IdeFile) => IdeLock | undefined,
): Promise<readonly FoundLock[]> {
  const files = await ownFiles(folder);
  const found = await Promise.all(
    files.map(async ({ name, path, changedAt }) => {
      const text = await readTextFile(path, { maxBytes: MAX_FILE_BYTES });
      const lock = text.ok ? read({ name, text: text.value }) : undefined;
      return lock === undefined ? undefined : { ...lock, changedAt };
    }),
  );
  return found.filter((lock) => lock !== undefined);
}

/** Where editors announce their servers, in the user's own folder. */
export function ideFolder({ env, home, platform }: HostEnvironment): string {
  const system = platform === 'win32' ? win32 : posix;
  return system.join(env['CLAUDE_CONFIG_DIR'] || system.join(home, '.claude'), 'ide');
}

function geminiFolder({ env, platform }: HostEnvironment): string {
  if (platform === 'win32') {
    return win32.join(env['TEMP'] || env['TMP'] || 'C:\\Windows\\Temp', 'gemini', 'ide');
  }
  return posix.join(env['TMPDIR'] || '/tmp', 'gemini', 'ide');
}
