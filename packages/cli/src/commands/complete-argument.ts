// `plugboard complete TARGET ARGUMENT [TYPED]`: prints a server's completions for an argument of a prompt or a variable of a
// template, one per line.

import { type CompleteOutcome, type Host, type Located, templateVariables } from '@plugboard/host';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printError } from '../print/error.ts';
import { printJson } from '../print/json.ts';
import { waiting } from '../print/progress.ts';
import { oneLine } from '../print/sanitise.ts';
import { exitCodeOfUnanswered, unansweredError } from '../print/unanswered.ts';
import { subjectOf } from '../print/subject.ts';
import { promptOwner } from './prompt.ts';
import { textArguments } from '../given/text-arguments.ts';
import { locateServer } from './locate-server.ts';
import { withHost } from './with-host.ts';

export interface CompleteRequest {
  readonly target: string;
  readonly argument: string;
  readonly typed: string;
  readonly settled: readonly string[];
  readonly server: string | undefined;
}

export async function completeArgument(
  context: Context,
  request: CompleteRequest,
): Promise<ExitCode> {
  const others = await textArguments(request.settled);
  const isTemplate = templateVariables(request.target).length > 0;
  return withHost(context, request.server, async (host) => {
    const owner = isTemplate
      ? await locateServer(context, host, {
          server: request.server,
          locate: (signal) => locateTemplate(host, request.target, signal),
          what: 'template',
          list: 'resources',
          again: `plugboard complete ${request.target}`,
        })
      : await promptOwner(context, host, { prompt: request.target, server: request.server });
    if (owner.kind === 'failed') return owner.code;
    const { server } = owner;
    const { target, argument, typed } = request;
    const wanted = { server, typed, others };
    const outcome = await waiting(context, host, (signal) =>
      isTemplate
        ? host.resources.complete(
            { ...wanted, uriTemplate: target, variable: argument },
            { signal },
          )
        : host.prompts.complete({ ...wanted, prompt: target, argument }, { signal }),
    );
    printCompletion(context, host, outcome);
    return outcome.kind === 'result' ? EXIT.ok : exitCodeOfUnanswered(outcome);
  });
}

async function locateTemplate(host: Host, asked: string, signal: AbortSignal): Promise<Located> {
  const { templates, problems } = await host.resources.templates({ signal });
  const servers = templates
    .filter(({ uriTemplate }) => uriTemplate === asked)
    .map((template) => template.server);
  const [server, second] = servers;
  if (server === undefined) return { kind: 'none', asked, nearest: undefined, problems };
  return second === undefined ? { kind: 'found', server } : { kind: 'several', asked, servers };
}

function printCompletion(context: Context, host: Host, outcome: CompleteOutcome): void {
  const { out, err } = context.terminal;
  if (outcome.kind !== 'result') {
    printError(context, unansweredError(outcome, subjectOf(host, outcome.server)));
  } else if (context.isJson) {
    printJson(context, outcome);
  } else {
    out.write(outcome.values.map((value) => `${oneLine(value)}\n`).join(''));
    if (outcome.values.length === 0) err.write('Nothing is proposed.\n');
    else if (outcome.hasMore) err.write('There are more: type more of it.\n');
  }
}
