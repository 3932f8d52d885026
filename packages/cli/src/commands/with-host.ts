// Gives a command a host and closes it whatever happens, so that no server outlives the command.

import { createHost, type Host } from '@plugboard/host';
import { hostEnvironment, readConfiguration } from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { watchDeclined } from '../print/declined-questions.ts';
import { writeDeclined } from '../print/declined.ts';
import { writeDiagnostics } from '../print/diagnostics.ts';
import { UsageError } from '../usage-error.ts';
import { bringsCodebase, CODEBASE, codebaseChoice, inProcessCodebase } from './built-in.ts';
import { readConfigured, unknownServer } from './configured.ts';
import { personApprover, personReadApprover } from './person-approver.ts';
import { personQuestions } from './person-questions.ts';

/**
 * `server` is the one that the command is about, if it is about one: then what is wrong with others
 * is left for a better moment. Fails with a suggestion when it is not configured.
 */
export async function withHost<T>(
  context: Context,
  server: string | undefined,
  use: (host: Host) => Promise<T>,
): Promise<T> {
  if (server !== undefined) await offerTrust(context, server);
  const environment = hostEnvironment();
  const trace = environment.env['PLUGBOARD_TRACE'] === 'bodies' ? 'bodies' : 'metadata';
  const configuration = await readConfiguration({ environment });
  await using codebase = inProcessCodebase(codebaseChoice(configuration), {
    version: context.version,
    indexing: 'when-asked',
  });
  await using host = await createHost({
    inProcess: bringsCodebase(environment) ? { [CODEBASE]: codebase } : {},
    approve: personApprover(context),
    approveRead: personReadApprover(context),
    elicit: personQuestions(context),
    trace,
    trust: context.trust,
    watch: 'none',
    // Whoever runs a command wants all of it; a file or a pager is theirs to choose.
    output: 'as-is',
  });
  using _declined = watchDeclined(context, host);
  const isKnown = server === undefined || host.servers.some(({ name }) => name === server);
  const concerned = host.diagnostics.filter(
    (diagnostic) =>
      diagnostic.server === undefined ||
      server === undefined ||
      // Of an entry that cannot be used, the error that follows says all of it.
      (diagnostic.server === server && isKnown),
  );
  if (!context.isJson) writeDiagnostics(context.terminal.err, concerned, hostEnvironment());
  if (!isKnown) throw unknownServer(server, await readConfigured(context));
  try {
    return await use(host);
  } finally {
    writeDeclined(context);
  }
}

/** On a terminal, whoever names a server that waits to be trusted is asked there and then. */
async function offerTrust(context: Context, server: string): Promise<void> {
  const { err, input } = context.terminal;
  if (context.isJson || context.trust === 'project' || !err.isTty || !input.isTty) return;
  const configured = await readConfigured(context);
  const found = configured.configuration.servers.find(({ name }) => name === server);
  if (found?.admission.kind !== 'untrusted' || found.written.disabled) return;
  const { askAndApprove } = await import('./trust.ts');
  const answer = await askAndApprove(context, configured, { ...found, admission: found.admission });
  if (answer === 'interrupted') throw new UsageError('interrupted', 'run the command again');
}
