// `plugboard config path`: lists the configuration files, or prints the file that edits of a scope go to.

import { exists, hostEnvironment, loadConfig, targetFile } from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { type FileRow, fileTable } from '../print/files.ts';
import { printJson } from '../print/json.ts';
import { scopeOf } from './edit.ts';

export async function configPath(context: Context, scope: string | undefined): Promise<ExitCode> {
  return scope === undefined ? showAll(context) : showTarget(context, scope);
}

async function showAll(context: Context): Promise<ExitCode> {
  const { files } = await loadConfig({ environment: hostEnvironment() });
  const rows = files.map(({ path, scope, state }): FileRow => ({
    file: path,
    scope,
    state,
    exists: state !== 'missing',
  }));
  if (context.isJson) printJson(context, { files: rows });
  else context.terminal.out.write(fileTable(rows));
  return EXIT.ok;
}

/** Prints only the path, for `$EDITOR "$(plugboard config path --scope user)"`. */
async function showTarget(context: Context, given: string): Promise<ExitCode> {
  const scope = scopeOf(given);
  const file = await targetFile(hostEnvironment(), scope);
  if (context.isJson) {
    printJson(context, { file, scope, exists: await exists(file) });
  } else {
    context.terminal.out.write(`${file}\n`);
  }
  return EXIT.ok;
}
