// Removes a file; a missing one counts as removed.

import { rm } from 'node:fs/promises';
import { codeOf, err, ok, type Result } from '@plugboard/base';

export async function removeFile(
  path: string,
): Promise<Result<undefined, { readonly kind: 'unwritable'; readonly code: string }>> {
  try {
    await rm(path, { force: true });
    return ok(undefined);
  } catch (thrown) {
    return err({ kind: 'unwritable', code: codeOf(thrown) ?? 'UNKNOWN' });
  }
}
