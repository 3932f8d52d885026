// `plugboard prompt NAME key=value …`: gets one prompt from its server, with its arguments filled in.

import type { Host, PromptOutcome } from '@plugboard/host';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printError } from '../print/error.ts';
import { printJson } from '../print/json.ts';
import { promptError } from '../print/primitive-errors.ts';
import { promptText } from '../print/primitives.ts';
import { waiting } from '../print/progress.ts';
import { answerAndNotes, writeNotes } from '../print/result-notes.ts';
import { exitCodeOfUnanswered } from '../print/unanswered.ts';
import { textArguments } from '../given/text-arguments.ts';
import { subjectOf } from '../print/subject.ts';
import { type LocatedServer, locateServer } from './locate-server.ts';
import { withHost } from './with-host.ts';

export interface PromptRequest {
  readonly prompt: string;
  readonly given: readonly string[];
  readonly server: string | undefined;
}

export async function getPrompt(context: Context, request: PromptRequest): Promise<ExitCode> {
  const given = await textArguments(request.given);
  const { prompt } = request;
  return withHost(context, request.server, async (host) => {
    const owner = await promptOwner(context, host, request);
    if (owner.kind === 'failed') return owner.code;
    const { server } = owner;
    const outcome = await waiting(context, host, (signal) =>
      host.prompts.get({ server, prompt }, given, { signal }),
    );
    if (outcome.kind !== 'result') {
      printError(context, promptError(outcome, subjectOf(host, server, context.adHoc)));
    } else if (context.isJson) {
      printJson(context, outcome);
    } else {
      const { out, err } = context.terminal;
      out.write(promptText(outcome, out));
      writeNotes(err, answerAndNotes(outcome.messages.flatMap(({ parts }) => parts)).notes);
    }
    return exitCodeOf(outcome);
  });
}

export function promptOwner(
  context: Context,
  host: Host,
  { prompt, server }: { readonly prompt: string; readonly server: string | undefined },
): Promise<LocatedServer> {
  return locateServer(context, host, {
    server,
    locate: (signal) => host.prompts.locate(prompt, { signal }),
    what: 'prompt',
    list: 'prompts',
    again: `plugboard prompt ${prompt}`,
  });
}

function exitCodeOf(outcome: PromptOutcome): ExitCode {
  switch (outcome.kind) {
    case 'result':
      return EXIT.ok;
    case 'unknown-prompt':
    case 'invalid-arguments':
      return EXIT.usage;
    default:
      return exitCodeOfUnanswered(outcome);
  }
}
