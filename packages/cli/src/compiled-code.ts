// Caches the code that V8 compiled from the bundle: compiling takes a quarter of the time of a command. Node's own cache
// exists only from Node 22 on, and contains only code that was compiled before anything ran. V8 trusts cached code, so a
// file is read only if no other user could have written it. Without a usable folder, everything is compiled.

import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { systemClock } from '@plugboard/base';

export interface CompiledCode {
  /** The folder with the modules. The name of a module changes with its content. */
  readonly chunks: string;
  /** The cache of all editions. */
  readonly folder: string;
  /** The version of Node and the architecture. */
  readonly edition: string;
  /** `undefined` on a system without user ids. */
  readonly user: number | undefined;
  readonly process: number;
}

type Load = (module: NodeJS.Module, file: string) => void;
type Run = (this: unknown, ...scope: readonly unknown[]) => void;

const WRITABLE_BY_OTHERS = 0o022;
const MAX_AGE_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

/** `load` uses `otherwise` for files that are not chunks. Call `store` at the end of the process. */
export function compiledCode(
  place: CompiledCode,
  otherwise: Load,
): { readonly load: Load; readonly store: () => void } {
  const folder = join(place.folder, place.edition);
  const added: { readonly name: string; readonly script: Script }[] = [];
  const load: Load = (module, file) => {
    if (dirname(file) !== place.chunks) return otherwise(module, file);
    const name = basename(file);
    const cachedData = readCached(join(folder, name), place.user);
    const source = `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'utf8')}\n})`;
    const script = new Script(source, { filename: file, ...(cachedData && { cachedData }) });
    if (script.cachedDataRejected !== false) added.push({ name, script });
    const run = script.runInThisContext() as Run;
    const exports: unknown = module.exports;
    run.call(exports, exports, module.require.bind(module), module, file, place.chunks);
  };
  const store = (): void => {
    if (added.length === 0) return;
    try {
      const isNew = mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined;
      for (const { name, script } of added) {
        write(join(folder, name), script.createCachedData(), place.process);
      }
      removeUnused(place, folder, isNew);
    } catch {
      // The next start compiles the code again.
    }
  };
  return { load, store };
}

/** Writes atomically. */
function write(file: string, content: Uint8Array, process: number): void {
  const beside = `${file}.${process}`;
  try {
    writeFileSync(beside, content, { mode: 0o600 });
    renameSync(beside, file);
  } catch (thrown) {
    rmSync(beside, { force: true });
    throw thrown;
  }
}

function readCached(file: string, user: number | undefined): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'r');
    const { uid, mode } = fstatSync(descriptor);
    const isOwn = user === undefined || (uid === user && (mode & WRITABLE_BY_OTHERS) === 0);
    return isOwn ? readFileSync(descriptor) : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Removes the code of deleted chunks, and, if the folder is new, editions that were not used for long. */
function removeUnused({ chunks, folder: all }: CompiledCode, folder: string, isNew: boolean): void {
  const present = new Set(readdirSync(chunks));
  for (const name of readdirSync(folder)) {
    if (!present.has(name)) rmSync(join(folder, name), { force: true });
  }
  if (!isNew) return;
  for (const edition of readdirSync(all)) {
    const other = join(all, edition);
    const isOld = systemClock.now() - statSync(other).mtimeMs > MAX_AGE_DAYS * DAY_MS;
    if (isOld) rmSync(other, { recursive: true, force: true });
  }
}
