// Finds out why a program could not be started. The system reports "no such file" for a missing program, a missing
// working folder and a missing interpreter alike.

import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { codeOf, messageOf } from '@plugboard/base';
import { findProgram } from './find-program.ts';
import type { SpawnSpec } from './spawn-spec.ts';

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
    const searched = searchPath(spec.env);
    const found = await findProgram({ command, cwd: cwd ?? '.', searched });
    if (found.kind === 'nothing') return { kind: 'command-not-found', command, searched };
    if (found.kind === 'not-executable') return { kind: 'not-executable', command };
  }
  return { kind: 'spawn-failed', command, code, message: messageOf(thrown) };
}

async function isEnterableFolder(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isDirectory();
  } catch {
    // Whatever the reason, the program cannot start there either.
    return false;
  }
}

/** On Windows, the name may be spelled `Path`. */
function searchPath(env: SpawnSpec['env']): string {
  const name = Object.keys(env).find((key) => key === 'PATH' || key === 'Path');
  return name === undefined ? '' : (env[name] ?? '');
}
