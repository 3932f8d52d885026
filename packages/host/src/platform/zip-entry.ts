// Which names, kinds and sizes of entries an untrusted zip may have. Decides from the archive's list of
// contents alone; the unpacker checks that the contents match the list.

import { decodeUtf8, err, ok, type Result } from '@plugboard/base';

/** An entry as the archive lists it. */
export interface ListedEntry {
  readonly name: Buffer;
  readonly flags: number;
  readonly method: number;
  /** The upper half contains the Unix mode, if there is one. */
  readonly attributes: number;
  readonly packedSize: number;
  readonly size: number;
}

export interface PlannedEntry {
  readonly kind: 'file' | 'folder';
  /** Relative, with forward slashes, without one at the end. */
  readonly path: string;
  readonly mode: 0o644 | 0o755;
}

export type EntryRefusal =
  | 'absolute-path'
  | 'leaves-folder'
  | 'bad-name'
  | 'same-name'
  | 'file-is-folder'
  | 'not-a-file'
  | 'encrypted'
  | 'unknown-compression'
  | 'too-compressed'
  | 'wrong-size'
  | 'broken';

export interface ZipLimits {
  readonly maxEntries: number;
  readonly maxBytes: number;
  /** Unpacked size over packed size, of one entry or of all. */
  readonly maxRatio: number;
  /** Below this size the ratio is not checked: equal bytes compress into almost nothing. */
  readonly ratioFrom: number;
}

export const ZIP_LIMITS: ZipLimits = {
  maxEntries: 10_000,
  maxBytes: 512 * 1024 * 1024,
  maxRatio: 200,
  ratioFrom: 1024 * 1024,
};

/** Encrypted, encrypted strongly, or with the list of contents masked. */
const ENCRYPTED = 0x1 | 0x40 | 0x2000;
const STORED = 0;
const DEFLATED = 8;

const TYPE_BITS = 0o170000;
const REGULAR_FILE = 0o100000;
const FOLDER = 0o040000;

/** The file or folder for one entry, or why it is refused. */
export function planEntry(
  entry: ListedEntry,
  limits: ZipLimits,
): Result<PlannedEntry, EntryRefusal> {
  const named = pathOf(entry.name);
  if (!named.ok) return named;
  const { path, isFolder } = named.value;
  if ((entry.flags & ENCRYPTED) !== 0) return err('encrypted');
  const mode = entry.attributes >>> 16;
  const type = mode & TYPE_BITS;
  if (type !== 0 && type !== (isFolder ? FOLDER : REGULAR_FILE)) return err('not-a-file');
  if (isFolder) {
    return entry.size === 0 ? ok({ kind: 'folder', path, mode: 0o755 }) : err('file-is-folder');
  }
  if (entry.method !== STORED && entry.method !== DEFLATED) return err('unknown-compression');
  if (isTooCompressed(entry.size, entry.packedSize, limits)) return err('too-compressed');
  return ok({ kind: 'file', path, mode: (mode & 0o111) === 0 ? 0o644 : 0o755 });
}

export function isTooCompressed(size: number, packedSize: number, limits: ZipLimits): boolean {
  return size >= limits.ratioFrom && size > packedSize * limits.maxRatio;
}

/** Detects entries that conflict on some file system, even if not on this one. */
export class TakenPaths {
  readonly #taken = new Map<string, { readonly path: string; readonly kind: 'file' | 'folder' }>();

  /** Returns why the entry conflicts with earlier ones, if it does. */
  add({ kind, path }: PlannedEntry): EntryRefusal | undefined {
    const steps = path.split('/');
    for (let length = 1; length < steps.length; length += 1) {
      const refusal = this.#claim(steps.slice(0, length).join('/'), 'folder');
      if (refusal !== undefined) return refusal;
    }
    return this.#claim(path, kind);
  }

  #claim(path: string, kind: 'file' | 'folder'): EntryRefusal | undefined {
    const key = folded(path);
    const other = this.#taken.get(key);
    if (other === undefined) {
      this.#taken.set(key, { path, kind });
      return undefined;
    }
    if (other.kind !== kind) return 'file-is-folder';
    // A folder may be listed and be the parent of other entries; a file occurs once.
    return kind === 'folder' && other.path === path ? undefined : 'same-name';
  }
}

/** Equal for names that some file system treats as the same. */
function folded(path: string): string {
  return path.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}

function pathOf(
  raw: Buffer,
): Result<{ readonly path: string; readonly isFolder: boolean }, EntryRefusal> {
  // Old archives use other encodings, which would have to be guessed.
  const name = decodeUtf8(raw, { byteOrderMark: 'keep' });
  if (name === undefined || /[\u0000-\u001F\u007F\\]/.test(name)) return err('bad-name');
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) return err('absolute-path');
  const isFolder = name.endsWith('/');
  const path = isFolder ? name.slice(0, -1) : name;
  const steps = path.split('/');
  if (steps.includes('..')) return err('leaves-folder');
  // Windows removes dots and spaces at the end of a name, and treats a colon as part of a path.
  const isPlain = steps.every((step) => step !== '' && !/[. ]$/.test(step) && !step.includes(':'));
  return isPlain ? ok({ path, isFolder }) : err('bad-name');
}
