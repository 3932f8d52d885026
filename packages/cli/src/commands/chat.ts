// `plugboard chat`: a conversation in the terminal. The first screen needs only files. The host, the model and the servers are
// opened in the background.

import { Emitter, messageOf, systemClock } from '@plugboard/base';
import {
  type AgentMode,
  type ModelChoice,
  type OpenTranscript,
  type Transcripts,
  TypedLines,
} from '@plugboard/agent';
import {
  BUILT_IN_SERVERS,
  type HostEnvironment,
  hostEnvironment,
} from '@plugboard/host/configuration';
import type { ToolBudget } from '@plugboard/host/known-tools';
import {
  AgentChat,
  Approvals,
  type ChatEvent,
  ModeSwitch,
  NotesQuestions,
  type OpenChat,
  Questions,
} from '../chat/index.ts';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { diagnosticNotice } from '../print/diagnostics.ts';
import { shortPath } from '../print/place.ts';
import { isoTime } from '../print/times.ts';
import { chatTerminal } from '../terminal.ts';
import { openChat } from '../tui/index.ts';
import { UsageError } from '../usage-error.ts';
import { modeOf } from './chat-mode.ts';
import { modelChoice, openingModel } from './chosen-model.ts';
import { bringsCodebase, disabledBy } from './built-in.ts';
import { type CommandConfiguration, readConfigured } from './configured.ts';
import { resumedConversation, type ResumeWish, transcriptsOf } from './resumed-conversation.ts';
import { toolBudgetOf } from './tool-budget.ts';

export interface ChatRequest extends ResumeWish {
  readonly model: string | undefined;
  readonly budget: number | undefined;
  readonly toolBudget: string | undefined;
  readonly allow: readonly string[];
  readonly mode: AgentMode | undefined;
}

export async function chat(context: Context, request: ChatRequest): Promise<ExitCode> {
  const { input, out } = context.terminal;
  if (context.isJson) {
    throw new UsageError('a chat is for people and prints no JSON', 'plugboard run "…" --json');
  }
  if (!input.isTty || !out.isTty) {
    throw new UsageError('a chat needs a terminal', USE_RUN);
  }
  if (out.isDumb === true) {
    throw new UsageError('this terminal cannot be drawn on (TERM=dumb)', USE_RUN_REPEATEDLY);
  }
  const environment = hostEnvironment();
  const configured = await readConfigured(context, request.allow);
  const { chat: settings } = configured.configuration;
  const choice = modelChoice(request.model, { environment, chat: settings });
  const toolBudget = toolBudgetOf(request.toolBudget, settings);
  const events = new Emitter<ChatEvent>((thrown) => {
    context.terminal.err.write(`${messageOf(thrown)}\n`);
  });
  const transcripts = transcriptsOf(environment, (text) => {
    events.emit({ kind: 'notice', notice: { level: 'warning', text } });
  });
  const name = choice.kind === 'chosen' ? choice.model.name : '';
  const transcript = await resumedConversation(transcripts, request, name);
  await using talk = await createChat(context, {
    environment,
    events,
    configured,
    choice,
    transcripts,
    transcript,
    budget: request.budget,
    allow: request.allow,
    mode: modeOf(request.mode, settings),
    toolBudget,
  });
  const first = request.resume === true ? '/resume' : undefined;
  const theme = settings.find((setting) => setting.theme !== undefined)?.theme;
  const drawn = openChat(talk, chatTerminal(context.terminal, systemClock), { first, theme });
  // An error is reported when the failed part is used.
  talk.warmUp().catch(() => {});
  const end = await drawn;
  const { session } = talk;
  if (session !== undefined) out.write(`To come back: plugboard chat --resume ${session}\n`);
  return end === 'interrupted' ? EXIT.interrupted : EXIT.ok;
}

const USE_RUN = 'for scripts and pipes: plugboard run "…"';

const USE_RUN_REPEATEDLY =
  'a message at a time: plugboard run "…", then plugboard run --continue "…"';

interface ChatOptions {
  readonly environment: HostEnvironment;
  readonly events: Emitter<ChatEvent>;
  readonly configured: CommandConfiguration;
  readonly choice: ModelChoice;
  readonly transcripts: Transcripts;
  readonly transcript: OpenTranscript;
  readonly budget: number | undefined;
  readonly allow: readonly string[];
  readonly mode: AgentMode;
  readonly toolBudget: ToolBudget;
}

async function createChat(context: Context, options: ChatOptions): Promise<AgentChat> {
  const { environment, events, configured, choice, transcript } = options;
  const untrusted = configured.configuration.servers.filter(
    ({ admission }) => admission.kind === 'untrusted',
  );
  const isLeftOut = disabledBy(configured.configuration).length > 0;
  const hasCodebase = bringsCodebase(environment) && !isLeftOut;
  const emit = (event: ChatEvent): void => events.emit(event);
  const modes = new ModeSwitch(options.mode, emit);
  const granted: { rules: readonly string[] } = { rules: [] };
  const approvals = new Approvals(emit, environment);
  const questions = new Questions(emit);
  const notes = new NotesQuestions(emit);
  return new AgentChat({
    opening: {
      version: context.version,
      folder: shortPath(environment.cwd, environment),
      model: openingModel(choice),
      mode: options.mode,
      keys: configured.configuration.chat.some(({ vim }) => vim === true) ? 'vim' : 'plain',
      servers: configured.asRead.servers.filter(({ name }) => !BUILT_IN_SERVERS.includes(name))
        .length,
      builtIn: hasCodebase ? 2 : 1,
      untrusted: untrusted.length,
      problems: configured.diagnostics.map((one) => diagnosticNotice(one, environment)),
      ...(transcript.changedAt === undefined ? {} : { resumedFrom: isoTime(transcript.changedAt) }),
    },
    environment,
    columns: () => context.terminal.out.columns - 1,
    events,
    modes,
    granted,
    approvals,
    questions,
    notes,
    earlier: transcript.messages,
    history: await TypedLines.open({ state: environment.paths.state, folder: environment.cwd }),
    clipboardPicture: async () => {
      const { clipboardPicture } = await import('./clipboard-picture.ts');
      return clipboardPicture(environment);
    },
    open: async (): Promise<OpenChat> => {
      const { openChatAgent } = await import('./open-chat-agent.ts');
      return openChatAgent({
        context,
        emit,
        modes,
        granted,
        approvals,
        questions,
        notes,
        ...options,
      });
    },
  });
}
