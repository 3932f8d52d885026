// `plugboard auth status [NAME]`: the status of each sign-in, from files and the store. Contacts and starts no server, and
// shows no token.

import { systemClock } from '@plugboard/base';
import { readSignIns } from '@plugboard/host';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../print/json.ts';
import { signInForPrograms, signInHints, signInTable } from '../print/sign-ins.ts';
import { UsageError } from '../usage-error.ts';
import { readConfigured, unknownServer } from './configured.ts';

export async function authStatus(context: Context, name: string | undefined): Promise<ExitCode> {
  const configured = await readConfigured(context);
  const { configuration, environment } = configured;
  const servers = configuration.servers.filter(
    (server) => name === undefined || server.name === name,
  );
  const statuses = await readSignIns(servers, environment);
  if (name !== undefined && statuses.length === 0) {
    const isLocal = servers.some(({ admission }) => admission.kind !== 'suppressed');
    if (!isLocal) throw unknownServer(name, configured);
    throw new UsageError(
      `server "${name}" runs on this machine, so there is nothing to sign in to`,
      'see those that are on the network: plugboard auth status',
    );
  }
  const { out, err } = context.terminal;
  if (context.isJson) {
    printJson(context, { signIns: statuses.map(signInForPrograms) });
  } else if (statuses.length === 0) {
    err.write('No remote servers are configured here.\nAdd one: plugboard add NAME URL\n');
  } else {
    out.write(signInTable(statuses, systemClock.now(), out.columns));
    err.write(signInHints(statuses));
  }
  return EXIT.ok;
}
