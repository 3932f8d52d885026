// The tree that a server shows, and the only access to its files: every path is relative to the root and stays inside it,
// also through links. Reading is bounded; a refusal is a value with the reason.

import { createHash } from 'node:crypto';
import { isAbsolute, relative, sep } from 'node:path';
import { err, never, ok, type Result } from '@plugboard/base';
import {
  findConfined,
  isWithin,
  openConfined,
  type OpenProblem,
  realFolder,
} from '../platform/index.ts';
import { IgnoreRules } from './ignore-rules.ts';
import { type DirectoryPage, type DirectoryRequest, listDirectory } from './list-directory.ts';
import { type ListedFile, listFiles, listPaths } from './list-files.ts';
import { normalPath, type PathProblem, pathProblem, type PathProblemCode } from './path-problem.ts';
import { asUtf8, kindOfText, type LinesRead, readLines } from './read-lines.ts';

export interface FileStat {
  readonly kind: 'file' | 'folder';
  readonly size: number;
  readonly mtimeMs: number;
}

export interface ReadRequest {
  readonly startLine?: number | undefined;
  readonly endLine?: number | undefined;
  readonly maxBytes?: number | undefined;
}

export interface FilePage extends LinesRead {
  readonly path: string;
  /** The size of the whole file in bytes. */
  readonly size: number;
}

const MOST_BYTES = 256 * 1024;
const MOST_LINE_BYTES = 16 * 1024;
const MOST_UTF16_BYTES = 16 * 1024 * 1024;

const CODES: Readonly<Record<OpenProblem, PathProblemCode>> = {
  'not-found': 'not-found',
  outside: 'path-outside',
  'special-file': 'special-file',
  'not-a-file': 'not-a-file',
  'not-a-folder': 'not-a-folder',
  unreadable: 'unreadable',
  'root-gone': 'root-gone',
};

export class Root {
  /** Absolute, without links. */
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static async open(path: string): Promise<Result<Root, PathProblem>> {
    const real = await realFolder(path);
    return real === undefined ? err(pathProblem('root-gone', path)) : ok(new Root(real));
  }

  /** The normalized path. A path inside the root may be absolute, as other tools print it. */
  normal(path: string): Result<string, PathProblem> {
    if (!isAbsolute(path) || !isWithin(this.path, path)) return normalPath(path);
    return normalPath(relative(this.path, path).split(sep).join('/') || '.');
  }

  /** The normalized path, if it exists inside the root. */
  async resolve(path: string): Promise<Result<string, PathProblem>> {
    const normal = this.normal(path);
    if (!normal.ok) return normal;
    const found = await findConfined(this.path, normal.value);
    return found.ok ? normal : refusal(found.error, path);
  }

  async stat(path: string): Promise<Result<FileStat, PathProblem>> {
    const normal = this.normal(path);
    if (!normal.ok) return normal;
    const found = await findConfined(this.path, normal.value);
    if (!found.ok) return refusal(found.error, path);
    const { stats } = found.value;
    const kind = stats.isDirectory() ? 'folder' : 'file';
    return ok({ kind, size: stats.size, mtimeMs: stats.mtimeMs });
  }

  /** Why a file is withheld by default; `undefined` for other files and for missing ones. */
  async whyWithheld(path: string): Promise<'secret' | 'ignored' | undefined> {
    const normal = this.normal(path);
    const found = normal.ok ? await findConfined(this.path, normal.value) : normal;
    if (!normal.ok || !found.ok) return undefined;
    const rules = await IgnoreRules.read(this.path);
    // A link must not bypass the rules.
    const real = relative(this.path, found.value.realPath).split(sep).join('/');
    return (await rules.whyWithheld(normal.value)) ?? (await rules.whyWithheld(real));
  }

  /** Reads lines of a text file, up to a limit; the result tells where the next page starts. */
  async read(
    path: string,
    request: ReadRequest = {},
    signal: AbortSignal = never,
  ): Promise<Result<FilePage, PathProblem>> {
    const normal = this.normal(path);
    if (!normal.ok) return normal;
    const opened = await openConfined(this.path, normal.value, { kind: 'file' });
    if (!opened.ok) return refusal(opened.error, path);
    await using file = opened.value.handle;
    const kind = await kindOfText(file);
    // A file that is too large to convert to UTF-8 is data.
    const isLarge = kind === 'utf-16' && opened.value.stats.size > MOST_UTF16_BYTES;
    if (kind === 'binary' || isLarge) return err(pathProblem('binary-file', path));
    const source = kind === 'utf-16' ? asUtf8(await file.readFile()) : file;
    const startLine = Math.max(1, request.startLine ?? 1);
    const range = {
      startLine,
      endLine: Math.max(startLine, request.endLine ?? Number.MAX_SAFE_INTEGER),
      maxBytes: Math.min(Math.max(1, request.maxBytes ?? MOST_BYTES), MOST_BYTES),
      maxLineBytes: MOST_LINE_BYTES,
    };
    const lines = await readLines(source, range, signal);
    if (lines.endLine < startLine && startLine > 1) return err(pathProblem('no-such-line', path));
    return ok({ ...lines, path: normal.value, size: opened.value.stats.size });
  }

  /**
   * Reads all bytes of a file, for indexing; `undefined` if it has more than `maxBytes`. Binary files are not refused.
   */
  async readBytes(
    path: string,
    maxBytes: number,
  ): Promise<Result<Buffer | undefined, PathProblem>> {
    const normal = this.normal(path);
    if (!normal.ok) return normal;
    const opened = await openConfined(this.path, normal.value, { kind: 'file' });
    if (!opened.ok) return refusal(opened.error, path);
    await using file = opened.value.handle;
    if (opened.value.stats.size > maxBytes) return ok(undefined);
    const bytes = await file.readFile();
    return ok(bytes.length > maxBytes ? undefined : bytes);
  }

  async list(
    path: string,
    request: DirectoryRequest = {},
  ): Promise<Result<DirectoryPage, PathProblem>> {
    const normal = this.normal(path);
    if (!normal.ok) return normal;
    const opened = await openConfined(this.path, normal.value, { kind: 'folder' });
    if (!opened.ok) return refusal(opened.error, path);
    await using handle = opened.value.handle;
    const folder = { ...opened.value, handle };
    const listed = await listDirectory({ root: this.path, path: normal.value, folder }, request);
    return listed === undefined ? refusal('unreadable', path) : ok(listed);
  }

  /** The paths of all files that are not ignored. Throws a `CodedError` if the root is gone. */
  paths(signal: AbortSignal): AsyncIterable<string> {
    return listPaths(this, signal);
  }

  files(signal: AbortSignal): AsyncIterable<ListedFile> {
    return listFiles(this, signal);
  }
}

/** The served tree, as tools use it: one root, or several as one tree. */
export type Tree = Pick<
  Root,
  'normal' | 'resolve' | 'stat' | 'whyWithheld' | 'read' | 'readBytes' | 'list' | 'paths' | 'files'
>;

/** SHA-256 cut to 128 bits: fast thanks to hardware support, and collisions cannot be constructed. */
export function contentHash(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 32);
}

function refusal(problem: OpenProblem, path: string): Result<never, PathProblem> {
  return err(pathProblem(CODES[problem], path));
}
