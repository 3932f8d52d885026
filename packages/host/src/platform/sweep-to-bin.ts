// Limits a folder of files that cannot be recreated. A clock can be wrong by months, so it alone removes nothing: files
// that are old compared with the newest one are moved into a bin first. They are moved back if they turn out not to be
// old, and deleted only after the program has run on several more days. The bin is a folder inside the folder.

import { lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readTextFile } from './read-text-file.ts';
import type { SweepLimits } from './sweep-folder.ts';
import { writeFileAtomically } from './write-file-atomically.ts';

export interface BinLimits extends SweepLimits {
  /** Only files whose names end with this text. */
  readonly ending?: string | undefined;
}

interface DatedFile {
  readonly name: string;
  readonly changedAt: number;
  /** The number of the day on which it was moved into the bin; `undefined` if it is not in the bin. */
  readonly binnedOn: number | undefined;
}

/** On how many days the program has run, and the latest of them. Earlier dates are not counted. */
interface SeenDays {
  readonly count: number;
  readonly latest: string;
}

const BIN = 'bin';
const SEEN = 'days';
/** A file in the bin is deleted after so many more days. */
const DAYS_IN_BIN = 7;
const IN_BIN = /^(\d{1,6})\.(.+)$/;

/** A folder that cannot be read, and a file that cannot be moved, are left as they are. */
export async function sweepToBin(folder: string, limits: BinLimits): Promise<void> {
  const bin = join(folder, BIN);
  const [live, binned] = await Promise.all([filesIn(folder), filesIn(bin)]);
  const files = [
    ...live.map((file) => ({ ...file, binnedOn: undefined })),
    ...binned.flatMap(binnedFile),
  ].filter(({ name }) => name.endsWith(limits.ending ?? ''));
  const { kept, old } = sortOut(files, limits);
  if (old.length === 0 && kept.every(({ binnedOn }) => binnedOn === undefined)) return;
  const days = await countDay(bin, limits.now);
  if (days === undefined) return;
  await Promise.all([
    ...kept.map((file) => putBack(folder, file)),
    ...old.map((file, index) =>
      file.binnedOn === undefined
        ? ignoreFailure(rename(join(folder, file.name), pathInBin(folder, file.name, days.count)))
        : removeFromBin(folder, file, { days, isTooMany: index >= limits.maxFiles }),
    ),
  ]);
}

/** Sorts out files by their age compared with the newest one, and by their number. Pure. */
function sortOut(
  files: readonly DatedFile[],
  { now, keptMs, maxFiles }: BinLimits,
): { readonly kept: readonly DatedFile[]; readonly old: readonly DatedFile[] } {
  const newestFirst = files.toSorted((a, b) => b.changedAt - a.changedAt);
  const notBefore = Math.min(now, newestFirst[0]?.changedAt ?? now) - keptMs;
  const isKept = ({ changedAt }: DatedFile, index: number): boolean =>
    changedAt >= notBefore && index < maxFiles;
  return {
    kept: newestFirst.filter(isKept),
    old: newestFirst.filter((file, index) => !isKept(file, index)),
  };
}

async function putBack(folder: string, { name, binnedOn }: DatedFile): Promise<void> {
  if (binnedOn === undefined) return;
  await ignoreFailure(rename(pathInBin(folder, name, binnedOn), join(folder, name)));
}

async function removeFromBin(
  folder: string,
  { name, binnedOn = 0 }: DatedFile,
  { days, isTooMany }: { readonly days: SeenDays; readonly isTooMany: boolean },
): Promise<void> {
  const path = pathInBin(folder, name, binnedOn);
  if (isTooMany || days.count - binnedOn >= DAYS_IN_BIN)
    await ignoreFailure(rm(path, { force: true }));
  // The count was lost and started again, and so does the time of this file.
  else if (binnedOn > days.count)
    await ignoreFailure(rename(path, pathInBin(folder, name, days.count)));
}

function pathInBin(folder: string, name: string, binnedOn: number): string {
  return join(folder, BIN, `${binnedOn}.${name}`);
}

function binnedFile({ name, changedAt }: Omit<DatedFile, 'binnedOn'>): readonly DatedFile[] {
  const [, day, own] = IN_BIN.exec(name) ?? [];
  return day === undefined || own === undefined
    ? []
    : [{ name: own, changedAt, binnedOn: Number(day) }];
}

/** `undefined` if it cannot be stored; then nothing is moved either. */
async function countDay(bin: string, now: number): Promise<SeenDays | undefined> {
  const file = join(bin, SEEN);
  const text = await readTextFile(file, { maxBytes: 100 });
  const [, count = '0', latest = ''] =
    /^(\d{1,6}) (\d{4}-\d{2}-\d{2})$/.exec(text.ok ? text.value.trim() : '') ?? [];
  const today = new Date(now).toISOString().slice(0, 10);
  if (today <= latest) return { count: Number(count), latest };
  const next = { count: Number(count) + 1, latest: today };
  try {
    await mkdir(bin, { recursive: true, mode: 0o700 });
    await writeFileAtomically(file, `${next.count} ${next.latest}\n`, { mode: 0o600 });
    return next;
  } catch {
    return undefined;
  }
}

async function filesIn(folder: string): Promise<readonly Omit<DatedFile, 'binnedOn'>[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const found = await Promise.all(
    names.map(async (name) => {
      const stats = await lstat(join(folder, name)).catch(() => undefined);
      return stats?.isFile() === true ? [{ name, changedAt: stats.mtimeMs }] : [];
    }),
  );
  return found.flat();
}

/** Another process may sweep the same folder at the same time. */
async function ignoreFailure(work: Promise<unknown>): Promise<void> {
  await work.catch(() => {});
}
