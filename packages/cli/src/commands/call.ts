// `plugboard call SERVER TOOL key=value …`: makes one call and prints the result. The server may be given on the command
// line, and content that is not text can be saved to files.

import { resolve } from 'node:path';
import { isObject, type JsonObject, pointerTo } from '@plugboard/base';
import { type CallOutcome, type HostEvent, type HostTool, saveParts } from '@plugboard/host';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode, exitCodeOfOutcome } from '../exit-codes.ts';
import { hostEnvironment } from '@plugboard/host/configuration';
import { writeFailedHooks } from '../print/denied.ts';
import { printError, type ShownError, writeError } from '../print/error.ts';
import { printJson } from '../print/json.ts';
import { type Failure, outcomeError } from '../print/outcome.ts';
import { shortPath } from '../print/place.ts';
import { waiting } from '../print/progress.ts';
import { answerAndNotes, writeNotes } from '../print/result-notes.ts';
import { sanitise } from '../print/sanitise.ts';
import { writeFix } from '../print/system-words.ts';
import {
  argumentsInJson,
  type GivenArgument,
  parseArguments,
  toValues,
} from '../given/call-arguments.ts';
import { millisecondsIn } from '../given/duration.ts';
import { toolWords } from '../given/tool-words.ts';
import { UsageError } from '../usage-error.ts';
import { subjectOf } from '../print/subject.ts';
import { type AdHocFlags, adHocServer } from './ad-hoc.ts';
import { editError } from './edit.ts';
import { readPiped } from './read-piped.ts';
import { withHost } from './with-host.ts';

export interface CallFlags extends AdHocFlags {
  /** All arguments as one JSON object. `-` reads stdin. */
  readonly args?: string;
  readonly timeout?: string;
  /** The folder for content that is not text. */
  readonly save?: string;
}

interface CallRequest {
  readonly server: string;
  readonly tool: string;
  readonly given: readonly GivenArgument[];
  readonly flags: CallFlags;
}

/** `words` are the server, the tool and its arguments. An ad-hoc server is not among them. */
export async function callTool(
  context: Context,
  words: readonly string[],
  flags: CallFlags,
): Promise<ExitCode> {
  const adHoc = await adHocServer(context, flags);
  const [server = '', tool, ...given] =
    adHoc === undefined ? toolWords(words) : [adHoc.server, ...words];
  if (tool === undefined) {
    throw new UsageError(
      "missing required argument 'tool'",
      'see the usage: plugboard call --help',
    );
  }
  const called: CallRequest = {
    server,
    tool,
    given: await givenArguments(context, given, flags.args),
    flags,
  };
  return call(adHoc?.context ?? context, called);
}

/** The arguments come as words, as one JSON object, or as one JSON object on stdin. */
async function givenArguments(
  { terminal }: Context,
  words: readonly string[],
  args: string | undefined,
): Promise<readonly GivenArgument[]> {
  const isPiped = args === '-' || (words.length === 1 && words[0] === '-');
  const json = isPiped ? await readPiped(terminal.input, REFUSALS) : args;
  if (json === undefined) return parseArguments(words);
  const typed = words.filter((word) => word !== '-');
  if (typed.length > 0) {
    throw new UsageError(
      'the arguments are given twice: as JSON and as words',
      'give all of them in one of the two ways',
    );
  }
  return argumentsInJson(json);
}

const REFUSALS = {
  tooLong: new UsageError(
    'the arguments that are piped in are longer than 1 MiB',
    'put what is long into a file: key=@FILE',
  ),
  notText: new UsageError(
    'the arguments that are piped in are not UTF-8 text',
    'pipe in one JSON object',
  ),
};

async function call(context: Context, called: CallRequest): Promise<ExitCode> {
  const { server, tool, given: parsed, flags } = called;
  const timeoutMs =
    flags.timeout === undefined ? undefined : millisecondsIn('--timeout', flags.timeout);
  return withHost(context, server, async (host) => {
    using _approvals = host.on((event) => reportStoredApproval(context, event));
    const outcome = await waiting(context, host, async (signal, onProgress) => {
      const known = await host.tools({ servers: [server], signal });
      const isKnown = known.tools.some((candidate) => candidate.tool === tool);
      // The server may have added the tool since it was last listed.
      const { tools, problems } =
        isKnown || known.problems.length > 0
          ? known
          : await host.tools({ servers: [server], signal, fresh: true });
      const [problem] = problems;
      if (problem !== undefined) return problem;
      const values = toValues(parsed, schemaOf(tools, tool));
      return host.call({ server, tool }, values, {
        signal,
        onProgress,
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      });
    });
    const saved = await savedParts(outcome, called);
    printOutcome(context, { outcome: withUnknownArguments(outcome, parsed), saved }, (failure) =>
      withFittingFix(
        outcomeError(failure, subjectOf(host, server, context.adHoc)),
        failure,
        called,
      ),
    );
    if (!context.isJson) writeFailedHooks(context.terminal.err, outcome, hostEnvironment());
    const code = exitCodeOfOutcome(outcome);
    return code === EXIT.ok && saved?.ok === false ? EXIT.usage : code;
  });
}

/** Adapts the fix to the options of the command. */
function withFittingFix(error: ShownError, { kind }: Failure, { flags }: CallRequest): ShownError {
  if (kind === 'timeout' && flags.timeout !== undefined) {
    return { ...error, fix: 'if it needs longer, give it more: --timeout 60s' };
  }
  return error;
}

type SavedParts = Awaited<ReturnType<typeof saveParts>>;

async function savedParts(
  outcome: CallOutcome,
  { tool, flags }: CallRequest,
): Promise<SavedParts | undefined> {
  const { save } = flags;
  if (save === undefined || (outcome.kind !== 'result' && outcome.kind !== 'tool-error')) {
    return undefined;
  }
  return saveParts(outcome.parts, { folder: resolve(hostEnvironment().cwd, save), name: tool });
}

/** Names unknown arguments, which are often misspelt required ones. */
function withUnknownArguments(outcome: CallOutcome, given: readonly GivenArgument[]): CallOutcome {
  if (outcome.kind !== 'invalid-arguments') return outcome;
  const { properties, additionalProperties } = outcome.schema;
  const known = isObject(properties) ? Object.keys(properties) : [];
  const unknown = given.filter(({ key }) => !known.includes(key));
  if (unknown.length === 0) return outcome;
  const all = known.length === 0 ? 'it takes none' : `it takes: ${known.join(', ')}`;
  const issues =
    additionalProperties === false
      ? // The validation has named each of them.
        [{ path: '', message: all }]
      : unknown.map(({ key }) => ({
          path: pointerTo(key),
          message: `is not one of its arguments; ${all}`,
        }));
  return { ...outcome, issues: [...outcome.issues, ...issues] };
}

/** The schema decides whether `n=3` is a number. */
function schemaOf(tools: readonly HostTool[], tool: string): JsonObject {
  return tools.find((candidate) => candidate.tool === tool)?.inputSchema ?? {};
}

function printOutcome(
  context: Context,
  { outcome, saved }: { readonly outcome: CallOutcome; readonly saved: SavedParts | undefined },
  errorOf: (failure: Failure) => ShownError,
): void {
  const { out, err } = context.terminal;
  // The answer of a tool keeps its parts, even if the tool reports a failure.
  if (context.isJson && (outcome.kind === 'result' || outcome.kind === 'tool-error')) {
    printJson(context, saved === undefined ? outcome : { ...outcome, ...savedFields(saved) });
  } else if (outcome.kind === 'result') {
    const { answer, notes } = answerAndNotes(outcome.parts);
    const shown = out.isTty ? sanitise(answer) : answer;
    out.write(shown === '' || shown.endsWith('\n') ? shown : `${shown}\n`);
    writeNotes(err, notes);
  } else {
    printError(context, errorOf(outcome));
  }
  if (saved !== undefined && !context.isJson) writeSaved(err, saved);
}

function savedFields(saved: SavedParts) {
  return saved.ok ? { saved: saved.value } : { saved: [], saveError: saved.error };
}

function writeSaved(err: Context['terminal']['err'], saved: SavedParts): void {
  if (!saved.ok) {
    const { file, code } = saved.error;
    writeError(err, {
      kind: 'not-saved',
      message: `${file} cannot be written (${code})`,
      fix: writeFix(code),
    });
    return;
  }
  const from = hostEnvironment();
  for (const { file, mimeType, bytes } of saved.value) {
    err.write(`Saved ${shortPath(file, from)} (${mimeType}, ${bytes} bytes).\n`);
  }
  if (saved.value.length === 0) err.write('Nothing was saved: all of the result is text.\n');
}

/** Reports where a lasting approval was stored, or why it could not be. */
function reportStoredApproval({ terminal: { err } }: Context, event: HostEvent): void {
  if (event.kind !== 'approval-kept' && event.kind !== 'approval-not-kept') return;
  const { file, problem, tool } = event;
  const from = hostEnvironment();
  if (problem === undefined) {
    err.write(`From now on it runs without asking: ${shortPath(file, from)}\n`);
    return;
  }
  const { message, where, fix } = editError(problem, { name: tool, file, from });
  writeError(err, { kind: problem.kind, message, where, fix }, 'warning');
}
