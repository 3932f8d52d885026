// Writes a server into the file of a scope and reports the result, for `add` and `add-json`.

import { addServer, type HostEnvironment } from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../print/json.ts';
import { shortPath } from '../print/place.ts';
import { clause } from '../print/diagnostics.ts';
import { readConfigured } from './configured.ts';
import { editError } from './edit.ts';
import { approveOwnEdit } from './own-approval.ts';
import { notePrecedence } from './note-precedence.ts';

export interface ServerToPut {
  readonly name: string;
  readonly entry: Readonly<Record<string, unknown>>;
  readonly file: string;
  readonly environment: HostEnvironment;
  readonly replace: 'refuse' | 'overwrite';
  /** Asks whether to replace a server of that name, which is otherwise an error. */
  readonly mayReplace?: () => Promise<boolean>;
}

export async function putServer(context: Context, server: ServerToPut): Promise<ExitCode> {
  const { name, entry, file, environment, replace, mayReplace } = server;
  const added = await addServer({ file, name, entry, replace });
  if (!added.ok) {
    if (added.error.kind === 'exists' && (await mayReplace?.()) === true) {
      return putServer(context, { ...server, replace: 'overwrite' });
    }
    throw editError(added.error, { name, file, from: environment });
  }
  if (context.isJson) {
    printJson(context, { kind: added.value.kind, name, file });
    await approveOwnEdit(context, { name, file, wrote: 'entry' });
    return EXIT.ok;
  }
  const words = added.value.kind === 'added' ? `Added "${name}" to` : `Replaced "${name}" in`;
  context.terminal.err.write(
    `${words} ${shortPath(file, environment)}.\n${await nextStep(name)}\n`,
  );
  await notePrecedence(context, { name, file });
  await approveOwnEdit(context, { name, file, wrote: 'entry' });
  return EXIT.ok;
}

/** The next step: to try the server, or first to set its variables. */
async function nextStep(name: string): Promise<string> {
  const { configuration } = await readConfigured();
  const resolved = configuration.servers.find((server) => server.name === name)?.resolved;
  const [first] = resolved?.kind === 'unresolved' ? resolved.diagnostics : [];
  if (first === undefined) return `Try it: plugboard tools ${name}`;
  return `Note: ${clause(first.message)}; ${clause(first.suggestion)}. Then: plugboard tools ${name}`;
}
