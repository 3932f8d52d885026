// `plugboard chat`: a conversation in the terminal. The first screen needs only files. The host, the model and the servers are
// opened in the background.

import { Emitter, messageOf, systemClock } from '@plugboard/base';
import { TypedLines } from '@plugboard/agent';
import { BUILT_IN_SERVERS, hostEnvironment, strongest } from '@plugboard/host/configuration';
import { AgentChat, type ChatEvent, openDesk, type OpenChat } from '../chat/index.ts';
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
import { readConfigured } from './configured.ts';
import type { ChatAgentOptions } from './open-chat-agent.ts';
import { resumedConversation, type ResumeWish, transcriptsOf } from './resumed-conversation.ts';
import { toolBudgetOf } from './tool-budget.ts';

export interface ChatRequest extends ResumeWish {
  readonly model: string | undefined;
  readonly budget: number | undefined;
  readonly toolBudget: string | undefined;
  readonly allow: readonly string[];
  readonly mode: string | undefined;
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
  const mode = modeOf(request.mode, settings);
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
  await using talk = await createChat({
    ...openDesk(events, mode, environment),
    context,
    environment,
    configured,
    choice,
    transcripts,
    transcript,
    budget: request.budget,
    allow: request.allow,
    toolBudget,
  });
  const first = request.resume === true ? '/resume' : undefined;
  const theme = strongest(settings, 'theme');
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

async function createChat(options: ChatAgentOptions): Promise<AgentChat> {
  const { context, environment, configured, choice, transcript } = options;
  const untrusted = configured.configuration.servers.filter(
    ({ admission }) => admission.kind === 'untrusted',
  );
  const isLeftOut = disabledBy(configured.configuration).length > 0;
  const hasCodebase = bringsCodebase(environment) && !isLeftOut;
  return new AgentChat({
    ...options,
    opening: {
      version: context.version,
      folder: shortPath(environment.cwd, environment),
      model: openingModel(choice),
      mode: options.modes.mode,
      keys: configured.configuration.chat.some(({ vim }) => vim === true) ? 'vim' : 'plain',
      servers: configured.asRead.servers.filter(({ name }) => !BUILT_IN_SERVERS.includes(name))
        .length,
      builtIn: hasCodebase ? 2 : 1,
      untrusted: untrusted.length,
      problems: configured.diagnostics.map((one) => diagnosticNotice(one, environment)),
      ...(transcript.changedAt === undefined ? {} : { resumedFrom: isoTime(transcript.changedAt) }),
    },
    columns: () => context.terminal.out.columns - 1,
    earlier: transcript.messages,
    history: await TypedLines.open({ state: environment.paths.state, folder: environment.cwd }),
    clipboardPicture: async () => {
      const { clipboardPicture } = await import('./clipboard-picture.ts');
      return clipboardPicture(environment);
    },
    open: async (): Promise<OpenChat> => {
      const { openChatAgent } = await import('./open-chat-agent.ts');
      return openChatAgent(options);
    },
  });
}
