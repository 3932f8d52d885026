// `plugboard run "…"`: runs one turn without a terminal. The answer goes to stdout, and progress to stderr. With --json, stdout
// has one event per line. No question is asked: calls that no rule allows are denied, and the model sees that.

import type { AgentEvent, AgentMode, TurnEnd, UserMessage } from '@plugboard/agent';
import { type Approval, type Host, nobodyToAsk } from '@plugboard/host';
import {
  type AdmittedConfiguration,
  type HostEnvironment,
  hostEnvironment,
} from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodeOfOutcome } from '../exit-codes.ts';
import { printError } from '../print/error.ts';
import { watchPins } from '../print/pins-not-kept.ts';
import { printJson } from '../print/json.ts';
import { notesProblemWords, notUsedWords, USE_NOTES } from '../print/notes-words.ts';
import { outcomeError } from '../print/outcome.ts';
import { subjectOf } from '../print/subject.ts';
import { exitCodeOfTurn, turnError, TurnLines } from '../print/turn-lines.ts';
import { UsageError } from '../usage-error.ts';
import { checkServers } from './check-servers.ts';
import { modelChoice, problemFix, problemWords } from './chosen-model.ts';
import { isAcceptedEdit, modeOf } from './chat-mode.ts';
import { readHere } from './configured.ts';
import { type NotesHere, notesHere, promptNotes } from './folder-notes.ts';
import { type AgentPeople, openAgent } from './open-agent.ts';
import { ModelFiles } from './model-files.ts';
import { readPiped } from './read-piped.ts';
import { resumedConversation, type ResumeWish, transcriptsOf } from './resumed-conversation.ts';
import { toolBudgetOf } from './tool-budget.ts';

export interface RunRequest extends ResumeWish {
  /** Read from stdin if omitted. */
  readonly prompt: string | undefined;
  readonly model: string | undefined;
  readonly steps: number | undefined;
  readonly budget: number | undefined;
  readonly toolBudget: string | undefined;
  readonly allow: readonly string[];
  readonly mode: string | undefined;
}

export async function run(context: Context, request: RunRequest): Promise<ExitCode> {
  const environment = hostEnvironment();
  const configuration = await readHere(context, environment, request.allow);
  const { chat } = configuration;
  const mode = modeOf(request.mode, chat);
  const choice = modelChoice(request.model, { environment, chat });
  if (choice.kind === 'none') {
    throw new UsageError(problemWords(choice.problem), problemFix(choice));
  }
  const toolBudget = toolBudgetOf(request.toolBudget, chat);
  const message = await messageOf(context, request.prompt);
  const warn = (words: string): void => {
    if (context.isJson) printJson(context, { kind: 'warning', message: words });
    else context.terminal.err.write(`${words}\n`);
  };
  const notes = await notesHere(context, environment, configuration);
  for (const words of unusedNotes(notes, environment)) warn(words);
  const files = new ModelFiles({
    source: { environment, root: configuration.root },
    approval: { environment, trust: context.trust, signal: context.terminal.interrupted },
    choose: (name) => modelChoice(name, { environment, chat }),
  });
  const transcripts = transcriptsOf(environment, warn);
  const transcript = await resumedConversation(transcripts, request, choice.model.name);
  await using agent = await openAgent({
    context,
    environment,
    configuration,
    people: () => withoutPerson(context, mode),
    mode: () => mode,
    model: choice.model,
    transcript,
    allow: request.allow,
    limits: { steps: request.steps, budget: request.budget },
    toolBudget,
    notes: () => promptNotes(notes),
    files,
    firstWaitMs: FIRST_WAIT_MS,
    firstWaitFor: 'all',
    flow: 'deny',
  });
  for (const words of files.problems) warn(words);
  using _pins = watchPins(context.terminal.err, agent.host, environment);
  const missing = await missingServer(context, agent.host);
  if (missing !== undefined) return missing;
  if (context.isJson) printJson(context, { kind: 'session', id: transcript.id });
  const end = await printEvents(
    context,
    agent.send(message, context.terminal.interrupted),
    untrustedIn(configuration),
  );
  await transcripts.sweep();
  const error = turnError(end);
  // With --json, the last event contains the error.
  if (error !== undefined && !context.isJson) printError(context, error);
  return exitCodeOfTurn(end);
}

/** Warnings about instructions that are not approved, and therefore not used. */
function unusedNotes(
  { waiting, problems }: NotesHere,
  environment: HostEnvironment,
): readonly string[] {
  return [
    ...waiting
      .flatMap(({ file }) => notUsedWords(file) ?? [])
      .map((words) => `${words}; read it, and use it: ${USE_NOTES}`),
    ...problems.map((problem) => notesProblemWords(problem, environment)),
  ];
}

/** Connects to required servers first. If one fails, the turn does not start. */
async function missingServer(context: Context, host: Host): Promise<ExitCode | undefined> {
  const required = host.servers.filter(
    ({ isRequired, state }) => isRequired && state.kind !== 'disabled',
  );
  if (required.length === 0) return undefined;
  const names = required.map(({ name }) => name);
  const checks = await checkServers(context, host, names);
  const failed = checks.find(({ problem }) => problem !== undefined);
  if (failed?.problem === undefined) return undefined;
  printError(context, outcomeError(failed.problem, subjectOf(host, failed.name)));
  return exitCodeOfOutcome(failed.problem);
}

function untrustedIn({ servers }: AdmittedConfiguration): ReadonlySet<string> {
  const waiting = servers.filter(({ admission }) => admission.kind === 'untrusted');
  return new Set(waiting.map(({ name }) => name));
}

async function printEvents(
  context: Context,
  events: AsyncIterable<AgentEvent>,
  untrusted: ReadonlySet<string>,
): Promise<TurnEnd> {
  const { terminal, isJson } = context;
  const lines = new TurnLines(terminal, untrusted);
  let end: TurnEnd = { kind: 'cancelled' };
  for await (const event of events) {
    if (isJson) printJson(context, event);
    else lines.write(event);
    if (event.kind === 'turn-ended' && event.agent === 'agent') ({ end } = event);
  }
  lines.end();
  return end;
}

async function messageOf(context: Context, given: string | undefined): Promise<UserMessage> {
  const { input } = context.terminal;
  const piped = given === undefined || given === '-' ? await pipedIn(input) : undefined;
  const text = (piped ?? given ?? '').trim();
  if (text === '') {
    throw new UsageError('there is no prompt', 'give one: plugboard run "…", or pipe it in');
  }
  return { kind: 'user', parts: [{ kind: 'text', text }] };
}

async function pipedIn(input: Context['terminal']['input']): Promise<string | undefined> {
  return input.isTty ? undefined : readPiped(input, REFUSALS);
}

const REFUSALS = {
  tooLong: new UsageError(
    'the input is longer than 1 MiB',
    'put it into a file, and say in the prompt which file to read',
  ),
  notText: new UsageError('the input is not UTF-8 text', 'pipe in text'),
};

/** A script can wait, and its tools should not depend on how fast servers start. */
const FIRST_WAIT_MS = 10_000;

const ALLOW: Approval = { kind: 'allow' };
const DENY: Approval = {
  kind: 'deny',
  reason: 'there is no terminal to ask at, and no rule allows it',
};

function withoutPerson({ answer }: Context, mode: AgentMode): AgentPeople {
  const decide = (): Approval => (answer === 'yes' ? ALLOW : DENY);
  return {
    approve: (request) => (isAcceptedEdit(request, mode) ? ALLOW : decide()),
    approveRead: decide,
    elicit: nobodyToAsk,
    sampling: {},
  };
}
