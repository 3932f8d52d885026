// `plugboard read URI`: reads one resource through the server that has it. Text is printed; binary data is written as
// it is, unless stdout is a terminal.

import { expandTemplate, type ReadOutcome, templateVariables } from '@plugboard/host';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printError } from '../print/error.ts';
import { printJson } from '../print/json.ts';
import { waiting } from '../print/progress.ts';
import { answerAndNotes, writeNotes } from '../print/result-notes.ts';
import { sanitise } from '../print/sanitise.ts';
import { readError } from '../print/primitive-errors.ts';
import { exitCodeOfUnanswered } from '../print/unanswered.ts';
import { UsageError } from '../usage-error.ts';
import { textArguments } from '../given/text-arguments.ts';
import { subjectOf } from '../print/subject.ts';
import { locateServer } from './locate-server.ts';
import { withHost } from './with-host.ts';

export interface ReadRequest {
  readonly uri: string;
  readonly given: readonly string[];
  readonly server: string | undefined;
}

export async function read(context: Context, request: ReadRequest): Promise<ExitCode> {
  const uri = expandUri(request.uri, await textArguments(request.given));
  return withHost(context, request.server, async (host) => {
    const owner = await locateServer(context, host, {
      server: request.server,
      locate: (signal) => host.resources.locate(uri, { signal }),
      what: 'resource',
      list: 'resources',
      again: `plugboard read ${uri}`,
    });
    if (owner.kind === 'failed') return owner.code;
    const { server } = owner;
    const outcome = await waiting(context, host, (signal) =>
      host.resources.read({ server, uri }, { signal }),
    );
    if (outcome.kind === 'result') printReading(context, outcome);
    else printError(context, readError(outcome, subjectOf(host, server, context.adHoc)));
    return exitCodeOf(outcome);
  });
}

/** The URI itself, or a template filled in with the values. */
function expandUri(uri: string, values: Readonly<Record<string, string>>): string {
  const variables = templateVariables(uri);
  const missing = variables.filter((name) => !Object.hasOwn(values, name));
  const unknown = Object.keys(values).filter((name) => !variables.includes(name));
  const [missingName] = missing;
  const [unknownName] = unknown;
  if (unknownName !== undefined) {
    throw new UsageError(
      `"${unknownName}" is not a variable of ${uri}`,
      variables.length === 0 ? 'leave it out' : `its variables are: ${variables.join(', ')}`,
    );
  }
  if (missingName !== undefined) {
    throw new UsageError(`${uri} needs a value for "${missingName}"`, `add: ${missingName}=VALUE`);
  }
  if (variables.length === 0) return uri;
  const expanded = expandTemplate(uri, values);
  if (expanded.ok) return expanded.value;
  throw new UsageError(`the address that comes out is too long`, 'give shorter values');
}

function printReading(context: Context, outcome: ReadOutcome & { readonly kind: 'result' }): void {
  const { out, err } = context.terminal;
  const { parts, answer, notes } = answerAndNotes(outcome.parts);
  const [first, second] = parts;
  const isOneBlob =
    second === undefined && first?.kind === 'resource' && first.body.kind === 'blob';
  if (context.isJson) {
    printJson(context, outcome);
  } else if (isOneBlob && !out.isTty) {
    out.write(Buffer.from(first.body.data, 'base64'));
  } else {
    const shown = out.isTty ? sanitise(answer) : answer;
    out.write(shown === '' || shown.endsWith('\n') ? shown : `${shown}\n`);
    writeNotes(err, notes);
    if (isOneBlob) err.write(`It is not text. To keep it: plugboard read ${outcome.uri} > FILE\n`);
  }
}

function exitCodeOf(outcome: ReadOutcome): ExitCode {
  switch (outcome.kind) {
    case 'result':
      return EXIT.ok;
    case 'not-found':
      return EXIT.usage;
    case 'denied':
      return EXIT.denied;
    default:
      return exitCodeOfUnanswered(outcome);
  }
}
