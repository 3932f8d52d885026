// Why a program could not be started. The system says "no such file" for a missing program, a missing
// working folder and a missing interpreter alike, so after a failure we look which one it was.

import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, resolve } from 'node:path';
import { codeOf, messageOf } from '@plugboard/base';

export interface SpawnSpec {
  readonly command: string;
  readonly args: readonly string[];
  /** All of the environment: nothing is added. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
}

export type SpawnFailure =
  | {
      readonly kind: 'command-not-found';
      readonly command: string;
      /** The PATH that was searched. */
      readonly searched: string;
    }
  | { readonly kind: 'not-executable'; readonly command: string }
  | { readonly kind: 'bad-cwd'; readonly cwd: string }
  | {
      readonly kind: 'spawn-failed';
      readonly command: string;
      readonly code: string;
      readonly message: string;
    };

export async function diagnoseSpawnFailure(
  spec: SpawnSpec,
  thrown: unknown,
): Promise<SpawnFailure> {
  const { command, cwd } = spec;
  const code = codeOf(thrown) ?? 'UNKNOWN';
  if (code === 'ENOENT' || code === 'EACCES' || code === 'ENOTDIR') {
    if (cwd !== undefined && !(await isEnterableFolder(cwd))) return { kind: 'bad-cwd', cwd };
    const found = await lookUpCommand(spec);
    if (found === 'nothing') {
      return { kind: 'command-not-found', command, searched: searchPath(spec.env) };
    }
    if (found === 'not-executable') return { kind: 'not-executable', command };
  }
  return { kind: 'spawn-failed', command, code, message: messageOf(thrown) };
}

async function isEnterableFolder(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isDirectory();
  } catch {
    // Whatever keeps us from looking also keeps the program from starting there.
    return false;
  }
}

type Lookup = 'executable' | 'not-executable' | 'nothing';

async function lookUpCommand(spec: SpawnSpec): Promise<Lookup> {
  const base = spec.cwd ?? '.';
  const hasFolder = spec.command.includes('/') || spec.command.includes('\\');
  const folders = hasFolder ? [''] : searchPath(spec.env).split(delimiter);
  let best: Lookup = 'nothing';
  for (const folder of folders) {
    const found = await lookAt(resolve(base, folder, spec.command));
    if (found === 'executable') return found;
    if (found === 'not-executable') best = found;
  }
  return best;
}

async function lookAt(file: string): Promise<Lookup> {
  try {
    const isFile = (await stat(file)).isFile();
    if (!isFile) return 'not-executable';
  } catch {
    // Not there, or in a folder that we may not enter: the system does not find it either.
    return 'nothing';
  }
  try {
    await access(file, constants.X_OK);
    return 'executable';
  } catch {
    // It is there, so the missing thing is the permission.
    return 'not-executable';
  }
}

/** On Windows the name may be spelled `Path`. */
function searchPath(env: SpawnSpec['env']): string {
  const name = Object.keys(env).find((key) => key === 'PATH' || key === 'Path');
  return name === undefined ? '' : (env[name] ?? '');
}
