// The agent behind a chat: opened once the first screen is there, with the person at the terminal to be asked.

import type { ModelChoice, OpenTranscript, PlanAnswer, Transcripts } from '@plugboard/agent';
import type { Workspace } from '@plugboard/agent/workspace';
import { never } from '@plugboard/base';
import {
  type Approval,
  type ApprovalRequest,
  type AskedPage,
  openBrowser,
  type SamplingApproval,
  type SamplingApprovalRequest,
} from '@plugboard/host';
import type { HostEnvironment } from '@plugboard/host/configuration';
import type { ToolBudget } from '@plugboard/host/known-tools';
import type {
  Approvals,
  ChangePreview,
  ChatEvent,
  ModeSwitch,
  Notice,
  NotesQuestions,
  OpenChat,
  Questions,
  ServerAction,
  TalkCommands,
} from '../chat/index.ts';
import type { Context } from '../context.ts';
import { notOpened, OPENED } from '../print/question-screen.ts';
import { isAcceptedEdit } from './chat-mode.ts';
import { actOn } from './chat-actions.ts';
import { agentsLook } from './chat-agents.ts';
import { viewCommands } from './chat-views.ts';
import { jobsOf, tellJobs } from './chat-jobs.ts';
import { ChatMemory } from './chat-memory.ts';
import { ServerLooks } from './chat-servers.ts';
import { modelChoice } from './chosen-model.ts';
import type { CommandConfiguration } from './configured.ts';
import { askAboutNotes } from './ask-about-notes.ts';
import { goingBack } from './going-back.ts';
import { ModelFiles } from './model-files.ts';
import { fileCommands } from './chat-file-commands.ts';
import { type AgentPeople, openAgent, type OpenAgent, WORKSPACE } from './open-agent.ts';

export interface ChatAgentOptions {
  readonly context: Context;
  readonly environment: HostEnvironment;
  readonly configured: CommandConfiguration;
  readonly emit: (event: ChatEvent) => void;
  readonly modes: ModeSwitch;
  readonly granted: { readonly rules: readonly string[] };
  readonly approvals: Approvals;
  readonly questions: Questions;
  readonly notes: NotesQuestions;
  readonly choice: ModelChoice;
  readonly transcripts: Transcripts;
  readonly transcript: OpenTranscript;
  readonly budget: number | undefined;
  readonly allow: readonly string[];
  readonly toolBudget: ToolBudget;
}

/** The built-in servers are begun with the first screen, and mostly there by the first message. */
const FIRST_WAIT_MS = 1000;

export async function openChatAgent(options: ChatAgentOptions): Promise<OpenChat> {
  const { context, environment, configured, choice, transcripts, transcript, emit } = options;
  const memory = await ChatMemory.open({ context, environment, configuration: configured.asRead });
  const left = new AbortController();
  const files = new ModelFiles({
    source: { environment, root: configured.configuration.root },
    approval: { environment, questions: options.notes, trust: context.trust, signal: left.signal },
    choose: (name) => modelChoice(name, { environment, chat: configured.configuration.chat }),
  });
  const agent = await openAgent({
    context,
    environment,
    configuration: configured.asRead,
    people: (workspace) => personAt(options, workspace),
    mode: () => options.modes.mode,
    plan: (plan, signal) => planAnswer(plan, options, signal),
    model: choice.kind === 'chosen' ? choice.model : undefined,
    transcript,
    allow: options.allow,
    limits: { budget: options.budget },
    toolBudget: options.toolBudget,
    firstWaitMs: FIRST_WAIT_MS,
    firstWaitFor: 'near',
    notes: () => memory.told(),
    files,
    flow: 'ask',
  });
  const notice = (said: Notice): void => emit({ kind: 'notice', notice: said });
  for (const said of filesNotices(files)) notice(said);
  const hearing = tellJobs(agent.workspace.jobs, emit);
  // The conversation goes on without them until there is an answer.
  void askAboutNotes(memory.here, {
    ...options,
    notice,
    use: (one) => memory.use(one),
    signal: left.signal,
  });
  return {
    host: agent.host,
    get hasModel() {
      return agent.model !== undefined;
    },
    get session() {
      const { id, messages } = agent.transcript;
      return messages.length === 0 ? undefined : id;
    },
    send: (message, signal) => agent.send(message, signal),
    commands: talkCommands({ agent, memory, files, left: left.signal }, options),
    act: (server: string, action: ServerAction) =>
      actOn(server, action, { context, host: agent.host, notice, signal: never }),
    async [Symbol.asyncDispose]() {
      left.abort();
      hearing[Symbol.dispose]();
      await agent[Symbol.asyncDispose]();
      await transcripts.sweep();
    },
  };
}

/** What a person should know of agents and skills before they miss one. */
function filesNotices({ problems, waiting }: ModelFiles): readonly Notice[] {
  const names = waiting.slice(0, MOST_NAMED).join(', ');
  const more = waiting.length > MOST_NAMED ? ` and ${waiting.length - MOST_NAMED} more` : '';
  return [
    ...problems.map((text): Notice => ({ level: 'warning', text })),
    ...(waiting.length === 0
      ? []
      : [
          {
            level: 'info',
            text: `this project brings what you have not approved: ${names}${more}`,
            fix: 'see an agent, and decide: /agents; a skill: type its name after a slash',
          } as const,
        ]),
  ];
}

const MOST_NAMED = 8;

function personAt(
  { approvals, questions, environment, modes, granted }: ChatAgentOptions,
  workspace: Workspace,
): AgentPeople {
  return {
    approve: (request) =>
      isAcceptedEdit(request, modes.mode) || request.isAllowedBy(granted.rules)
        ? ACCEPTED
        : approvals.approve(request, (asked) => previewIn(workspace, asked)),
    approveRead: (request) => approvals.approveRead(request),
    elicit: (request) => questions.elicit(request, (page) => openPage(page, environment)),
    sampling: { approve: (request) => approveSampling(approvals, request) },
  };
}

const ACCEPTED: Approval = { kind: 'allow' };

/** A yes ends plan mode. */
async function planAnswer(
  plan: string,
  { approvals, modes }: ChatAgentOptions,
  signal: AbortSignal,
): Promise<PlanAnswer> {
  const answer = await approvals.approvePlan(plan, signal);
  if (answer.kind === 'deny') return { kind: 'refused', reason: answer.reason };
  modes.set(answer.remember === 'once' ? 'ask' : 'accept-edits');
  const { plan: edited } = answer.arguments ?? {};
  return { kind: 'approved', ...(typeof edited === 'string' ? { plan: edited } : {}) };
}

async function openPage({ url }: AskedPage, environment: HostEnvironment): Promise<Notice> {
  const opening = await openBrowser(url, { environment });
  return opening.kind === 'opened'
    ? { level: 'info', text: OPENED.trim() }
    : { level: 'warning', text: notOpened(url).trim() };
}

async function previewIn(
  workspace: Workspace,
  { tool, arguments: given }: ApprovalRequest,
): Promise<ChangePreview | undefined> {
  if (tool.server !== WORKSPACE) return undefined;
  // It only helps to decide: where there is none, the arguments are shown.
  const preview = await workspace.preview(tool.tool, given).catch(() => undefined);
  if (preview?.kind !== 'change') return undefined;
  return { path: preview.path, before: preview.before ?? '', after: preview.after };
}

async function approveSampling(
  approvals: Approvals,
  { server, request, signal }: SamplingApprovalRequest,
): Promise<SamplingApproval> {
  const answer = await approvals.approveOther({
    server,
    tool: 'sampling',
    why: 'the server wants your model to answer this; it sees the answer',
    arguments: {
      ...(request.systemPrompt === undefined ? {} : { systemPrompt: request.systemPrompt }),
      messages: request.messages.map(({ role, content }) => ({
        role,
        content: JSON.stringify(content),
      })),
      maxTokens: request.maxTokens,
    },
    signal,
  });
  return answer.kind === 'allow' ? { kind: 'allow' } : answer;
}

interface TalkParts {
  readonly agent: OpenAgent;
  readonly memory: ChatMemory;
  readonly files: ModelFiles;
  /** The person has left. */
  readonly left: AbortSignal;
}

function talkCommands(
  { agent, memory, files, left }: TalkParts,
  options: ChatAgentOptions,
): TalkCommands {
  const { emit, transcripts, environment, context, configured } = options;
  const columns = context.terminal.out.columns - 1;
  const servers = new ServerLooks({ context, host: agent.host, columns });
  return {
    ...goingBack({ agent, transcripts, environment, emit }),
    own: () =>
      fileCommands(
        { environment, root: configured.configuration.root },
        { environment, questions: options.notes, trust: context.trust, signal: left },
      ),
    agents: (name) => agentsLook(name, { files, environment, agent }),
    memory: (which) => memory.memory(which),
    note: (line) => memory.note(line),
    server: (name, what, answer) => servers.look(name, what, answer),
    jobs: (id, what) => jobsOf(id, what, agent.workspace.jobs),
    ...viewCommands({ agent, context, environment, configured, emit }),
    compact: async () => {
      const event = await agent.conversation?.compact(never);
      if (event === undefined) {
        return { kind: 'problem', message: 'there is nothing to summarise yet' };
      }
      emit({ kind: 'agent', event });
      return { kind: 'taken' };
    },
  };
}
