// `plugboard call SERVER TOOL key=value …`: one call, from words to result.

import type { JsonObject } from '@plugboard/base';
import { type CallOutcome, type Host, toText } from '@plugboard/host';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodeOfOutcome } from '../exit-codes.ts';
import { printError } from '../print/error.ts';
import { printJson } from '../print/json.ts';
import { outcomeError } from '../print/outcome.ts';
import { waiting } from '../print/progress.ts';
import { sanitise } from '../print/sanitise.ts';
import { parseArguments, toValues } from './call-arguments.ts';
import { requireServer, whereOf, withHost } from './with-host.ts';

export interface CallRequest {
  readonly server: string;
  readonly tool: string;
  readonly given: readonly string[];
}

export async function callTool(context: Context, request: CallRequest): Promise<ExitCode> {
  const { server, tool } = request;
  const parsed = await parseArguments(request.given);
  return withHost(context, async (host) => {
    const status = await requireServer(host, server);
    const outcome = await waiting(context, host, async (signal, onProgress) => {
      const values = toValues(parsed, await schemaOf(host, request, signal));
      return host.call({ server, tool }, values, { signal, onProgress });
    });
    printOutcome(context, outcome, whereOf(status));
    return exitCodeOfOutcome(outcome);
  });
}

/** What the tool takes, so that `n=3` can be a number. A server that fails says so at the call. */
async function schemaOf(
  host: Host,
  { server, tool }: CallRequest,
  signal: AbortSignal,
): Promise<JsonObject> {
  const { tools } = await host.tools({ servers: [server], signal });
  return tools.find((candidate) => candidate.tool === tool)?.inputSchema ?? {};
}

function printOutcome(context: Context, outcome: CallOutcome, where: string): void {
  const { terminal, isJson } = context;
  if (isJson && (outcome.kind === 'result' || outcome.kind === 'tool-error')) {
    printJson(context, outcome);
    return;
  }
  if (outcome.kind === 'result') {
    const text = toText(outcome.parts);
    terminal.out(`${terminal.isOutTty ? sanitise(text) : text}\n`);
    return;
  }
  if (outcome.kind === 'tool-error') {
    printError(context, {
      kind: outcome.kind,
      message: `"${outcome.tool}" of "${outcome.server}" failed`,
      details: toText(outcome.parts).split('\n'),
      fix: `see what it takes: plugboard tools ${outcome.server} --schema`,
    });
    return;
  }
  printError(context, outcomeError(outcome, where));
}
