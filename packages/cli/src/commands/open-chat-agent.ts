// Opens the agent of a chat after the first screen is drawn. The person at the terminal answers its questions.

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
import { type HostEnvironment, WORKSPACE } from '@plugboard/host/configuration';
import type { ToolBudget } from '@plugboard/host/known-tools';
import type {
  Approvals,
  ChangePreview,
  ChatDesk,
  Notice,
  OpenChat,
  ServerAction,
  TalkCommands,
} from '../chat/index.ts';
import type { Context } from '../context.ts';
import { notOpened, OPENED } from '../print/question-screen.ts';
import type { ApprovalOfFiles } from './approved-file.ts';
import { isAcceptedEdit } from './chat-mode.ts';
import { actOn } from './chat-actions.ts';
import { showAgents } from './chat-agents.ts';
import { viewCommands } from './chat-views.ts';
import { reportJobs, showJobs } from './chat-jobs.ts';
import { ChatMemory } from './chat-memory.ts';
import { ServerViews } from './chat-servers.ts';
import { modelChoice } from './chosen-model.ts';
import type { CommandConfiguration } from './configured.ts';
import { askAboutNotes } from './ask-about-notes.ts';
import { goingBack } from './going-back.ts';
import type { MarkdownSource } from './markdown-files.ts';
import { ModelFiles } from './model-files.ts';
import { fileCommands } from './chat-file-commands.ts';
import { type AgentPeople, openAgent, type OpenAgent } from './open-agent.ts';

export interface ChatAgentOptions extends ChatDesk {
  readonly context: Context;
  readonly environment: HostEnvironment;
  readonly configured: CommandConfiguration;
  readonly choice: ModelChoice;
  readonly transcripts: Transcripts;
  readonly transcript: OpenTranscript;
  readonly budget: number | undefined;
  readonly allow: readonly string[];
  readonly toolBudget: ToolBudget;
}

/** The built-in servers start with the first screen, and are usually ready before the first message. */
const FIRST_WAIT_MS = 1000;

export async function openChatAgent(options: ChatAgentOptions): Promise<OpenChat> {
  const { context, environment, configured, choice, transcripts, transcript, emit } = options;
  const memory = await ChatMemory.open({ context, environment, configuration: configured.asRead });
  const left = new AbortController();
  const source = { environment, root: configured.configuration.root };
  const { signal } = left;
  const approval = { environment, questions: options.notes, trust: context.trust, signal };
  const files = new ModelFiles({
    source,
    approval,
    choose: (name) => modelChoice(name, { environment, chat: configured.configuration.chat }),
  });
  const agent = await openAgent({
    context,
    environment,
    configuration: configured.asRead,
    people: (workspace) => personAt(options, workspace),
    mode: () => options.modes.mode,
    plan: (plan, stop) => askAboutPlan(plan, options, stop),
    model: choice.kind === 'chosen' ? choice.model : undefined,
    transcript,
    allow: options.allow,
    limits: { budget: options.budget },
    toolBudget: options.toolBudget,
    firstWaitMs: FIRST_WAIT_MS,
    firstWaitFor: 'near',
    notes: () => memory.promptNotes(),
    files,
    flow: 'ask',
  });
  const notice = (content: Notice): void => emit({ kind: 'notice', notice: content });
  for (const one of filesNotices(files)) notice(one);
  const jobReports = reportJobs(agent.workspace.jobs, emit);
  // The conversation continues without the instructions until the user answers.
  void askAboutNotes(memory.here, { ...options, notice, use: (one) => memory.use(one), signal });
  return {
    host: agent.host,
    get hasModel() {
      return agent.model !== undefined;
    },
    get session() {
      const { id, messages } = agent.transcript;
      return messages.length === 0 ? undefined : id;
    },
    send: (message, stop) => agent.send(message, stop),
    commands: talkCommands({ agent, memory, files, source, approval }, options),
    act: (server: string, action: ServerAction) =>
      actOn(server, action, { context, host: agent.host, notice, signal: never }),
    async [Symbol.asyncDispose]() {
      left.abort();
      jobReports[Symbol.dispose]();
      await agent[Symbol.asyncDispose]();
      await transcripts.sweep();
    },
  };
}

/** Notices about agents and skills that cannot be used. */
function filesNotices({ problems, waiting }: ModelFiles): readonly Notice[] {
  const names = waiting.slice(0, MAX_NAMED).join(', ');
  const more = waiting.length > MAX_NAMED ? ` and ${waiting.length - MAX_NAMED} more` : '';
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

const MAX_NAMED = 8;

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

/** Approving a plan ends plan mode. */
async function askAboutPlan(
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
  // Without a preview, the arguments are shown.
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
  readonly source: MarkdownSource;
  readonly approval: ApprovalOfFiles;
}

function talkCommands(
  { agent, memory, files, source, approval }: TalkParts,
  options: ChatAgentOptions,
): TalkCommands {
  const { emit, transcripts, environment, context, configured } = options;
  const columns = context.terminal.out.columns - 1;
  const servers = new ServerViews({ context, host: agent.host, columns });
  return {
    ...goingBack({ agent, transcripts, environment, emit }),
    own: () => fileCommands(source, approval),
    agents: (name) => showAgents(name, { files, environment, agent }),
    memory: (which) => memory.memory(which),
    note: (line) => memory.note(line),
    server: (name, what, answer) => servers.show(name, what, answer),
    jobs: (id, what) => showJobs(id, what, agent.workspace.jobs),
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
