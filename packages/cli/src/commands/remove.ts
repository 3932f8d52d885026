// `plugboard remove NAME`: takes a server out of the file that it comes from.

import { removeServer, targetFile } from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../print/json.ts';
import { shortPath } from '../print/place.ts';
import { UsageError } from '../usage-error.ts';
import { editError, scopeOf } from './add.ts';
import { unknownServer } from './get.ts';
import { type Listed, readServers } from './list.ts';

export async function remove(
  context: Context,
  name: string,
  scope: string | undefined,
): Promise<ExitCode> {
  const listed = await readServers();
  const file =
    scope === undefined
      ? fileOf(name, listed)
      : await targetFile(listed.environment, scopeOf(scope));
  const removed = await removeServer({ file, name });
  if (!removed.ok) throw editError(removed.error, { name, file });
  if (context.isJson) printJson(context, { kind: 'removed', name, file });
  else context.terminal.err(`Removed "${name}" from ${shortPath(file, listed.environment.cwd)}.\n`);
  return EXIT.ok;
}

/** A broken entry can be removed too; that is often what it needs. */
function fileOf(name: string, listed: Listed): string {
  const { servers, rejected } = listed.configuration;
  const found = [...servers, ...rejected].find((candidate) => candidate.name === name);
  if (found === undefined) throw unknownServer(name, listed);
  if (found.origin.kind === 'file') return found.origin.file;
  throw new UsageError(`"${name}" is in no file`, 'it was given by the program');
}
