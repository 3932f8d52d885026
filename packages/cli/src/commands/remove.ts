// `plugboard remove NAME`: removes a server from the file that defines it.

import {
  EDITABLE_SCOPES,
  isOfEditor,
  removeServer,
  type Scope,
  targetFile,
} from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../print/json.ts';
import { shortPath } from '../print/place.ts';
import { UsageError } from '../usage-error.ts';
import { type CommandConfiguration, readConfigured, unknownServer } from './configured.ts';
import { editError, scopeOf } from './edit.ts';
import { notePrecedence } from './note-precedence.ts';

export async function remove(
  context: Context,
  name: string,
  scope: string | undefined,
): Promise<ExitCode> {
  const configured = await readConfigured();
  const { environment } = configured;
  const file =
    scope === undefined ? fileOf(name, configured) : await targetFile(environment, scopeOf(scope));
  const removed = await removeServer({ file, name: keyIn(file, name, configured) });
  if (!removed.ok) throw editError(removed.error, { name, file, from: environment });
  if (context.isJson) {
    printJson(context, { kind: 'removed', name, file });
    return EXIT.ok;
  }
  context.terminal.err.write(`Removed "${name}" from ${shortPath(file, environment)}.\n`);
  await notePrecedence(context, { name, file });
  return EXIT.ok;
}

/** The name of the server in a file. */
function keyIn(file: string, name: string, { configuration }: CommandConfiguration): string {
  const { servers, rejected } = configuration;
  const found = [...rejected, ...servers].find((candidate) => candidate.name === name);
  const there = found?.sources.find(({ origin }) => origin.kind === 'file' && origin.file === file);
  return there?.writtenAs ?? name;
}

/** Also finds broken entries. */
function fileOf(name: string, configured: CommandConfiguration): string {
  const { servers, rejected } = configured.configuration;
  const found = [...rejected, ...servers].find((candidate) => candidate.name === name);
  if (found === undefined) throw unknownServer(name, configured);
  const { scope, origin } = found;
  const isEditable = EDITABLE_SCOPES.some((editable) => editable === scope);
  if (isEditable && origin.kind === 'file') return origin.file;
  const where = isOfEditor(found) ? 'was announced by your editor' : ELSEWHERE[scope];
  throw new UsageError(`"${name}" ${where ?? 'is in no file'}`, fixFor(name, scope));
}

const ELSEWHERE: Readonly<Partial<Record<Scope, string>>> = {
  enterprise: 'is configured by the owner of this machine',
  dynamic: 'is in no file: it is built in',
  'claude-code': 'is a server of Claude Code, whose own file is not changed here',
  plugin: 'comes with a plugin',
  connector: 'is listed by a connector',
};

function fixFor(name: string, scope: Scope): string {
  if (scope === 'enterprise') return 'ask the owner of this machine';
  const [, plugin = ''] = name.split(':');
  const disable = `switch it off: plugboard disable ${name}`;
  if (scope === 'claude-code') {
    return `${disable}, or remove it there: claude mcp remove ${name}`;
  }
  return scope === 'plugin'
    ? `${disable}, or remove all of it: plugboard plugin remove ${plugin}`
    : disable;
}
