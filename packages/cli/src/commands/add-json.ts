// `plugboard add-json NAME JSON`: adds a server from a JSON entry, such as one from a web page.

import { hostEnvironment, readPasted, targetFile } from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { writeDiagnostics } from '../print/diagnostics.ts';
import { pasteError, PIPED_REFUSALS } from '../print/pasted.ts';
import { shortPath } from '../print/place.ts';
import { scopeOf } from './edit.ts';
import { warnOfSecrets } from './plain-secrets.ts';
import { putServer } from './put-server.ts';
import { readPiped } from './read-piped.ts';

export interface AddJsonRequest {
  readonly name: string;
  /** `-` reads stdin. */
  readonly json: string;
  readonly scope: string;
  readonly replace: 'refuse' | 'overwrite';
}

export async function addJson(context: Context, request: AddJsonRequest): Promise<ExitCode> {
  const { name, replace } = request;
  const { input, err } = context.terminal;
  const environment = hostEnvironment();
  const file = await targetFile(environment, scopeOf(request.scope));
  const isPiped = request.json === '-';
  const text = isPiped ? await readPiped(input, PIPED_REFUSALS) : request.json;
  const pasted = readPasted({ text, name, source: isPiped ? 'stdin' : 'JSON' });
  if (!pasted.ok) throw pasteError(pasted.error);
  const { entry, warnings } = pasted.value;
  if (!context.isJson) writeDiagnostics(err, warnings, environment);
  const code = await putServer(context, { name, entry, file, environment, replace });
  warnOfSecrets(context, { name, entry, file: shortPath(file, environment) });
  return code;
}
