// `plugboard call SERVER TOOL key=value …`: one call, from words to result.

import { isObject, type JsonObject, pointerTo } from '@plugboard/base';
import type { CallOutcome, HostTool } from '@plugboard/host';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodeOfOutcome } from '../exit-codes.ts';
import { hostEnvironment } from '@plugboard/host/configuration';
import { writeFailedHooks } from '../print/denied.ts';
import { printError } from '../print/error.ts';
import { printJson } from '../print/json.ts';
import { outcomeError } from '../print/outcome.ts';
import { waiting } from '../print/progress.ts';
import { answerAndNotes, writeNotes } from '../print/result-notes.ts';
import { sanitise } from '../print/sanitise.ts';
import type { Subject } from '../print/unavailable.ts';
import { type GivenArgument, parseArguments, toValues } from '../given/call-arguments.ts';
import { subjectOf } from '../print/subject.ts';
import { reportKept } from './kept-rule.ts';
import { withHost } from './with-host.ts';

export interface CallRequest {
  readonly server: string;
  readonly tool: string;
  readonly given: readonly string[];
}

export async function callTool(context: Context, request: CallRequest): Promise<ExitCode> {
  const { server, tool } = request;
  const parsed = await parseArguments(request.given);
  return withHost(context, server, async (host) => {
    using _kept = host.on((event) => reportKept(context, event));
    const outcome = await waiting(context, host, async (signal, onProgress) => {
      const known = await host.tools({ servers: [server], signal });
      const isKnown = known.tools.some((candidate) => candidate.tool === tool);
      // A tool that an earlier run did not see may be there by now.
      const { tools, problems } =
        isKnown || known.problems.length > 0
          ? known
          : await host.tools({ servers: [server], signal, fresh: true });
      const [problem] = problems;
      if (problem !== undefined) return problem;
      const values = toValues(parsed, schemaOf(tools, tool));
      return host.call({ server, tool }, values, { signal, onProgress });
    });
    printOutcome(context, withStrangers(outcome, parsed), subjectOf(host, server));
    if (!context.isJson) writeFailedHooks(context.terminal.err, outcome, hostEnvironment());
    return exitCodeOfOutcome(outcome);
  });
}

/** Names what was given and is none of the tool's arguments: often that is the one it misses. */
function withStrangers(outcome: CallOutcome, given: readonly GivenArgument[]): CallOutcome {
  if (outcome.kind !== 'invalid-arguments') return outcome;
  const { properties, additionalProperties } = outcome.schema;
  const known = isObject(properties) ? Object.keys(properties) : [];
  const strangers = given.filter(({ key }) => !known.includes(key));
  if (strangers.length === 0) return outcome;
  const all = known.length === 0 ? 'it takes none' : `it takes: ${known.join(', ')}`;
  const told =
    additionalProperties === false
      ? // The check has named each.
        [{ path: '', message: all }]
      : strangers.map(({ key }) => ({
          path: pointerTo(key),
          message: `is none of its arguments; ${all}`,
        }));
  return { ...outcome, issues: [...outcome.issues, ...told] };
}

/** What the tool takes, so that `n=3` can be a number. */
function schemaOf(tools: readonly HostTool[], tool: string): JsonObject {
  return tools.find((candidate) => candidate.tool === tool)?.inputSchema ?? {};
}

function printOutcome(context: Context, outcome: CallOutcome, subject: Subject): void {
  const { out, err } = context.terminal;
  // What the tool itself answered keeps its parts, also when it says that it failed.
  if (context.isJson && (outcome.kind === 'result' || outcome.kind === 'tool-error')) {
    printJson(context, outcome);
  } else if (outcome.kind === 'result') {
    const { answer, notes } = answerAndNotes(outcome.parts);
    const shown = out.isTty ? sanitise(answer) : answer;
    out.write(shown === '' || shown.endsWith('\n') ? shown : `${shown}\n`);
    writeNotes(err, notes);
  } else {
    printError(context, outcomeError(outcome, subject));
  }
}
