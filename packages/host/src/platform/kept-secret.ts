// A secret of one line in its own file, which only its user can read. A missing secret is created once, however many
// processes start at the same moment. A file that other users could have read or written is refused.

import { dirname } from 'node:path';
import { err, ok, type Result } from '@plugboard/base';
import { createFileOnce } from './create-file-once.ts';
import { ensureFolder } from './new-folder.ts';
import { type OwnFileProblem, readOwnFile } from './read-own-file.ts';
import { systemCode } from './write-failed.ts';

export type KeptSecretProblem =
  | OwnFileProblem
  | { readonly kind: 'empty'; readonly path: string }
  | { readonly kind: 'unwritable'; readonly path: string; readonly code: string };

const MAX_BYTES = 4096;

/** `make` creates the secret of a missing file; without it, a missing file is a problem. */
export async function keptSecret(
  path: string,
  make?: () => string,
): Promise<Result<string, KeptSecretProblem>> {
  const known = await read(path);
  if (known.ok || known.error.kind !== 'missing' || make === undefined) return known;
  try {
    await ensureFolder(dirname(path));
    await createFileOnce(path, `${make()}\n`);
  } catch (thrown) {
    return err({ kind: 'unwritable', path, code: systemCode(thrown) ?? 'UNKNOWN' });
  }
  return read(path);
}

async function read(path: string): Promise<Result<string, KeptSecretProblem>> {
  const text = await readOwnFile(path, { maxBytes: MAX_BYTES, kept: 'secret' });
  if (!text.ok) return text;
  const secret = text.value.trim();
  return secret === '' ? err({ kind: 'empty', path }) : ok(secret);
}
