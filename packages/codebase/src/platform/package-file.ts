// Files that come with an installed package: where they are, and their bytes, bounded.

import { readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { codeOf, err, ok, type Result } from '@plugboard/base';

export type PackageFileProblem =
  | { readonly kind: 'missing'; readonly path: string }
  | { readonly kind: 'unreadable'; readonly path: string; readonly code: string }
  | { readonly kind: 'too-large'; readonly path: string; readonly limit: number };

/** The path of what `specifier` names, as an import in this package would find it. */
export function packageFile(specifier: string): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(specifier);
  } catch {
    // Whatever keeps it from being found, it is not there.
    return undefined;
  }
}

export async function readBytes(
  path: string,
  limits: { readonly maxBytes: number },
): Promise<Result<Uint8Array, PackageFileProblem>> {
  try {
    const { size } = await stat(path);
    if (size > limits.maxBytes) return err({ kind: 'too-large', path, limit: limits.maxBytes });
    return ok(await readFile(path));
  } catch (thrown) {
    const code = codeOf(thrown) ?? 'UNKNOWN';
    return err(code === 'ENOENT' ? { kind: 'missing', path } : { kind: 'unreadable', path, code });
  }
}
