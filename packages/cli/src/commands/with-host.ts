// Runs a command with a host, and always closes the host, so that no server outlives the command.

import { createHost, type Elicit, type Host, nobodyToAsk } from '@plugboard/host';
import { CODEBASE } from '@plugboard/host/configuration';
import { canAsk, type Context } from '../context.ts';
import { watchDeclined, writeDeclined } from '../print/declined.ts';
import { writeDiagnostics } from '../print/diagnostics.ts';
import { watchPins } from '../print/pins-not-kept.ts';
import { CancelledError } from '../usage-error.ts';
import { bringsCodebase, inProcessCodebase } from './built-in.ts';
import { type CommandConfiguration, readConfigured, unknownServer } from './configured.ts';
import { personApprover, personReadApprover } from './person-approver.ts';

/**
 * `server` is the only server that the command uses. Problems of other servers are then not reported. Throws if it is not
 * configured.
 */
export async function withHost<T>(
  context: Context,
  server: string | undefined,
  use: (host: Host, configured: CommandConfiguration) => Promise<T>,
): Promise<T> {
  const configured = await readAndOfferTrust(context, server);
  const { environment, asRead } = configured;
  const trace = environment.env['PLUGBOARD_TRACE'] === 'bodies' ? 'bodies' : 'metadata';
  await using codebase = inProcessCodebase(asRead, {
    version: context.version,
    indexing: 'when-asked',
  });
  await using host = await createHost({
    environment,
    configuration: asRead,
    inProcess: bringsCodebase(environment) ? { [CODEBASE]: codebase } : {},
    approve: personApprover(context),
    approveRead: personReadApprover(context),
    elicit: personQuestions(context),
    trace,
    trust: context.trust,
    ...context.named,
    ...(context.pins === undefined ? {} : { pins: context.pins }),
    ide: 'discover',
    watch: 'none',
    // Commands print whole results; the user may redirect them to a file or a pager.
    output: 'as-is',
  });
  using _declined = watchDeclined(context, host);
  using _pins = watchPins(context.terminal.err, host, environment);
  const isKnown = server === undefined || host.servers.some(({ name }) => name === server);
  const concerned = host.diagnostics.filter(
    (diagnostic) =>
      diagnostic.server === undefined ||
      server === undefined ||
      // The error below explains an entry that cannot be used.
      (diagnostic.server === server && isKnown),
  );
  if (!context.isJson) writeDiagnostics(context.terminal.err, concerned, environment);
  if (!isKnown) throw unknownServer(server, configured);
  try {
    return await use(host, configured);
  } finally {
    writeDeclined(context);
  }
}

/** On a terminal, asks whether to trust the named server if it is not trusted yet. */
async function readAndOfferTrust(
  context: Context,
  server: string | undefined,
): Promise<CommandConfiguration> {
  const configured = await readConfigured(context);
  if (!canAsk(context)) return configured;
  const found = configured.configuration.servers.find(({ name }) => name === server);
  if (found?.admission.kind !== 'untrusted' || found.written.disabled) return configured;
  const { askAndApprove } = await import('./trust.ts');
  const answer = await askAndApprove(context, configured, { ...found, admission: found.admission });
  if (answer === 'interrupted') throw new CancelledError();
  return answer === 'trusted' ? readConfigured(context) : configured;
}

/** Asks the user of the command. Without a terminal, questions are declined. */
function personQuestions(context: Context): Elicit {
  if (!canAsk(context)) return nobodyToAsk;
  return async (request) => {
    const { answerQuestion } = await import('./answer-question.ts');
    return answerQuestion(context, request);
  };
}
