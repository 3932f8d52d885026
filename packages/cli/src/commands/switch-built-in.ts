// `plugboard enable codebase` and `plugboard disable codebase`: change the setting of the built-in server. Any file can disable
// it, so enabling it removes the setting from the user's own files.

import {
  type CodebaseSetting,
  EDITABLE_SCOPES,
  type Scope,
  scopeRow,
  settingsFile,
  switchCodebase,
} from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../print/json.ts';
import { alreadyWords, ownedError, stillWords, switchedWords } from '../print/switched.ts';
import { disabledBy } from './built-in.ts';
import { type CommandConfiguration, readConfigured } from './configured.ts';
import { editError, scopeOf } from './edit.ts';
import type { SwitchRequest } from './switch-server.ts';

export async function switchBuiltIn(context: Context, request: SwitchRequest): Promise<ExitCode> {
  const { name, to } = request;
  const before = await readConfigured(context);
  const disabling = disabledBy(before.configuration);
  if (disabling.some(({ scope }) => scope === 'enterprise')) throw ownedError(name);
  const { environment } = before;
  const files = await filesToEdit(request, before, disabling);
  const changed: string[] = [];
  for (const file of files) {
    const switched = await switchCodebase({ file, to });
    if (!switched.ok) throw editError(switched.error, { name, file, from: environment });
    if (switched.value.kind === 'changed') changed.push(file);
  }
  const after = disabledBy((await readConfigured(context)).configuration);
  const state = after.length > 0 ? 'disabled' : 'enabled';
  if (context.isJson) {
    const kind = changed.length === 0 ? 'unchanged' : to;
    printJson(context, { kind, name, file: changed[0] ?? null, state });
    return EXIT.ok;
  }
  const { err } = context.terminal;
  for (const file of changed) err.write(switchedWords({ name, to, file }, environment));
  if (changed.length === 0 && state === to) err.write(alreadyWords(name, state));
  const [other] = after;
  if (to === 'enabled' && other !== undefined) {
    err.write(stillWords({ name, state, origin: other.origin }, environment));
  }
  return EXIT.ok;
}

/** Without a scope, disabling edits the user's file for this project, and enabling edits all files of the user that disable it. */
async function filesToEdit(
  { to, scope }: SwitchRequest,
  { environment }: CommandConfiguration,
  disabling: readonly CodebaseSetting[],
): Promise<readonly string[]> {
  if (to === 'disabled') {
    const isDone = scope === undefined && disabling.length > 0;
    return isDone ? [] : [await settingsFile(environment, scopeOf(scope ?? 'local'))];
  }
  const wanted: readonly Scope[] = scope === undefined ? PERSONAL : [scopeOf(scope)];
  return disabling.flatMap(({ scope: stated, origin }) =>
    origin.kind === 'file' && wanted.includes(stated) ? [origin.file] : [],
  );
}

/** The project's shared file is edited only on explicit request. */
const PERSONAL: readonly Scope[] = EDITABLE_SCOPES.filter((scope) => scopeRow(scope).isPersonal);
