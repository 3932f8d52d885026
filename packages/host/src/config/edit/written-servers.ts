// Reads the servers of a file exactly as written, to compare them before an edit. A file that cannot be
// edited is an error here, too.

import { err, ok, type Result } from '@plugboard/base';
import { readTextFile } from '../../platform/index.ts';
import { fileDiagnostic, formatOf, MAX_FILE_BYTES, parseFile } from '../files/index.ts';
import type { EditProblem } from './apply-edit.ts';

/** By name; empty if the file does not exist. */
export async function writtenServers(
  file: string,
): Promise<Result<ReadonlyMap<string, unknown>, EditProblem>> {
  const read = await readTextFile(file, { maxBytes: MAX_FILE_BYTES });
  if (!read.ok) {
    if (read.error.kind === 'missing') return ok(new Map());
    return err({ kind: 'invalid-file', diagnostic: fileDiagnostic(read.error) });
  }
  const parsed = parseFile({ path: file, format: formatOf(file), text: read.value });
  if (parsed.state === 'invalid' && parsed.cause.code !== 'file-empty') {
    return err({ kind: 'invalid-file', diagnostic: parsed.cause });
  }
  return ok(new Map(parsed.servers.map(({ name, value }) => [name, value])));
}
