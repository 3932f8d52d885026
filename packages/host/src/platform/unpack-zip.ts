// Unpacks an untrusted zip into a new folder. The whole list of contents is checked before the first byte is
// written, and each file must match its entry in the list. The caller interprets the files.

import { mkdir, open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { codeOf, err, ok, type Result } from '@plugboard/base';
import type { Entry, ZipFile } from 'yauzl';
import { type FolderProblem, newFolder } from './new-folder.ts';
import {
  type EntryRefusal,
  isTooCompressed,
  type PlannedEntry,
  planEntry,
  TakenPaths,
  ZIP_LIMITS,
  type ZipLimits,
} from './zip-entry.ts';

export type ZipProblem =
  | FolderProblem
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly code: string }
  | { readonly kind: 'not-a-zip' }
  | { readonly kind: 'too-many-entries'; readonly limit: number }
  | { readonly kind: 'too-large'; readonly limit: number }
  | { readonly kind: 'refused'; readonly entry: string; readonly reason: EntryRefusal };

export interface UnpackOptions {
  readonly file: string;
  /** The path of the new folder, which must not exist. */
  readonly target: string;
  readonly limits?: ZipLimits;
}

export async function unpackZip({
  file,
  target,
  limits = ZIP_LIMITS,
}: UnpackOptions): Promise<Result<undefined, ZipProblem>> {
  const opened = await openZip(file);
  if (!opened.ok) return opened;
  const zip = opened.value;
  try {
    const planned = await planAll(zip, limits);
    if (!planned.ok) return planned;
    return await newFolder(target, (draft) => unpackAll(zip, planned.value, draft));
  } finally {
    zip.close();
  }
}

async function openZip(file: string): Promise<Result<ZipFile, ZipProblem>> {
  try {
    // Opening a special file can block, or have an effect.
    if (!(await stat(file)).isFile()) return err({ kind: 'unreadable', code: 'NOT_A_FILE' });
    const { openPromise } = await import('yauzl');
    // Names are read as raw bytes, and sizes are checked here, independently of the library's checks.
    const options = { decodeStrings: false, validateEntrySizes: false, autoClose: false };
    return ok(await openPromise(file, options));
  } catch (thrown) {
    const code = codeOf(thrown);
    // Errors in the archive itself have no code.
    if (code === undefined) return err({ kind: 'not-a-zip' });
    return err(code === 'ENOENT' ? { kind: 'missing' } : { kind: 'unreadable', code });
  }
}

interface PlannedFile {
  readonly entry: Entry;
  readonly plan: PlannedEntry;
}

async function planAll(
  zip: ZipFile,
  limits: ZipLimits,
): Promise<Result<readonly PlannedFile[], ZipProblem>> {
  if (zip.entryCount > limits.maxEntries) {
    return err({ kind: 'too-many-entries', limit: limits.maxEntries });
  }
  const planned: PlannedFile[] = [];
  const taken = new TakenPaths();
  let bytes = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      const plan = planEntry(listedEntry(entry), limits);
      if (!plan.ok) return refusal(entry, plan.error);
      const conflict = taken.add(plan.value);
      if (conflict !== undefined) return refusal(entry, conflict);
      bytes += entry.uncompressedSize;
      if (bytes > limits.maxBytes) return err({ kind: 'too-large', limit: limits.maxBytes });
      planned.push({ entry, plan: plan.value });
    }
  } catch {
    // The list of contents cannot be read to its end, so the archive is unreliable.
    return err({ kind: 'not-a-zip' });
  }
  // Entries may share their packed bytes, each with its own harmless ratio.
  if (isTooCompressed(bytes, zip.fileSize, limits)) {
    return err({ kind: 'too-large', limit: zip.fileSize * limits.maxRatio });
  }
  return ok(planned);
}

function listedEntry(entry: Entry) {
  return {
    name: entry.fileNameRaw,
    flags: entry.generalPurposeBitFlag,
    method: entry.compressionMethod,
    attributes: entry.externalFileAttributes,
    packedSize: entry.compressedSize,
    size: entry.uncompressedSize,
  };
}

function refusal({ fileNameRaw }: Entry, reason: EntryRefusal): Result<never, ZipProblem> {
  return err({ kind: 'refused', entry: fileNameRaw.toString('utf8'), reason });
}

async function unpackAll(
  zip: ZipFile,
  planned: readonly PlannedFile[],
  draft: string,
): Promise<Result<undefined, ZipProblem>> {
  for (const { entry, plan } of planned) {
    const path = join(draft, ...plan.path.split('/'));
    await mkdir(plan.kind === 'folder' ? path : dirname(path), { recursive: true });
    if (plan.kind === 'folder') continue;
    const reason = await unpackFile(zip, entry, { path, mode: plan.mode });
    if (reason !== undefined) return refusal(entry, reason);
  }
  return ok(undefined);
}

/** Returns how the content differs from its entry in the list, if it does. */
async function unpackFile(
  zip: ZipFile,
  entry: Entry,
  { path, mode }: { readonly path: string; readonly mode: number },
): Promise<EntryRefusal | undefined> {
  const handle = await open(path, 'wx', mode);
  try {
    await handle.chmod(mode);
    let size = 0;
    let checksum = 0;
    const stream: AsyncIterable<Buffer> = await zip.openReadStreamPromise(entry);
    for await (const chunk of stream) {
      size += chunk.length;
      // Checked before writing: a wrong size must not fill the disk.
      if (size > entry.uncompressedSize) return 'wrong-size';
      checksum = crc32(chunk, checksum);
      await handle.writeFile(chunk);
    }
    if (size !== entry.uncompressedSize) return 'wrong-size';
    return checksum === entry.crc32 ? undefined : 'broken';
  } catch (thrown) {
    if (isArchiveFault(thrown)) return 'broken';
    throw thrown;
  } finally {
    await handle.close();
  }
}

/** An error in the archive comes from zlib, or without a code from the reader. */
function isArchiveFault(thrown: unknown): boolean {
  const code = codeOf(thrown);
  return code === undefined || code.startsWith('Z_');
}
