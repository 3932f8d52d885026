// The agent behind a chat: opened once the first screen is there, with the person at the terminal to be asked.

import { type OpenTranscript, type Transcripts, type ModelChoice } from '@plugboard/agent';
import type { Workspace } from '@plugboard/agent/workspace';
import { never, systemClock } from '@plugboard/base';
import {
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
  Notice,
  NotesQuestions,
  OpenChat,
  Questions,
  ServerAction,
  SubmitResult,
  TalkCommands,
} from '../chat/index.ts';
import type { Context } from '../context.ts';
import { notOpened, OPENED } from '../print/question-screen.ts';
import { toolCostsOf, toolCostsText, windowText } from '../print/tool-costs.ts';
import { actOn } from './chat-actions.ts';
import { modelChoice, problemWords } from './chosen-model.ts';
import type { CommandConfiguration } from './configured.ts';
import { askAboutNotes } from './ask-about-notes.ts';
import { notesHere, notesText } from './folder-notes.ts';
import { type AgentPeople, openAgent, type OpenAgent, WORKSPACE } from './open-agent.ts';
import { sessionsText } from './taken-up.ts';

export interface ChatAgentOptions {
  readonly context: Context;
  readonly environment: HostEnvironment;
  readonly configured: CommandConfiguration;
  readonly emit: (event: ChatEvent) => void;
  readonly approvals: Approvals;
  readonly questions: Questions;
  readonly notes: NotesQuestions;
  readonly choice: ModelChoice;
  readonly transcripts: Transcripts;
  readonly transcript: OpenTranscript;
  readonly budget: number | undefined;
  readonly toolBudget: ToolBudget;
}

/** The built-in servers are begun with the first screen, and mostly there by the first message. */
const FIRST_WAIT_MS = 1000;

export async function openChatAgent(options: ChatAgentOptions): Promise<OpenChat> {
  const { context, environment, configured, choice, transcripts, transcript, emit } = options;
  const notes = await notesHere(context, environment, configured.asRead);
  const used = [...notes.used];
  const agent = await openAgent({
    context,
    environment,
    configuration: configured.asRead,
    people: (workspace) => personAt(options, workspace),
    model: choice.kind === 'chosen' ? choice.model : undefined,
    transcript,
    limits: { budget: options.budget },
    toolBudget: options.toolBudget,
    firstWaitMs: FIRST_WAIT_MS,
    firstWaitFor: 'near',
    notes: () => notesText(used),
    flow: 'ask',
  });
  const notice = (said: Notice): void => emit({ kind: 'notice', notice: said });
  const left = new AbortController();
  // The conversation goes on without them until there is an answer.
  void askAboutNotes(notes, {
    ...options,
    notice,
    use: (one) => used.push(one),
    signal: left.signal,
  });
  return {
    host: agent.host,
    get hasModel() {
      return agent.model !== undefined;
    },
    send: (message, signal) => agent.send(message, signal),
    commands: talkCommands(agent, options),
    act: (server: string, action: ServerAction) =>
      actOn(server, action, { context, host: agent.host, notice, signal: never }),
    async [Symbol.asyncDispose]() {
      left.abort();
      await agent[Symbol.asyncDispose]();
      await transcripts.sweep();
    },
  };
}

function personAt(
  { approvals, questions, environment }: ChatAgentOptions,
  workspace: Workspace,
): AgentPeople {
  return {
    approve: (request) => approvals.approve(request, (asked) => previewIn(workspace, asked)),
    approveRead: (request) => approvals.approveRead(request),
    elicit: (request) => questions.elicit(request, (page) => openPage(page, environment)),
    sampling: { approve: (request) => approveSampling(approvals, request) },
  };
}

async function openPage({ url }: AskedPage, environment: HostEnvironment): Promise<Notice> {
  const opening = await openBrowser(url, { environment, clock: systemClock });
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

function talkCommands(agent: OpenAgent, options: ChatAgentOptions): TalkCommands {
  const { emit, transcripts } = options;
  return {
    clear: () => {
      agent.conversation?.clear();
      emit({ kind: 'cleared' });
      return Promise.resolve();
    },
    compact: async () => {
      const event = await agent.conversation?.compact(never);
      if (event === undefined) {
        return { kind: 'problem', message: 'there is nothing to sum up yet' };
      }
      emit({ kind: 'agent', event });
      return { kind: 'taken' };
    },
    context: (columns) => contextText(agent, columns),
    cost: () => costWords(agent),
    sessions: async () => sessionsText(await transcripts.list()),
    model: (name) => Promise.resolve(switchModel(name, agent, options)),
  };
}

function switchModel(
  name: string | undefined,
  agent: OpenAgent,
  { environment, configured, emit }: ChatAgentOptions,
): SubmitResult {
  if (name === undefined) {
    return { kind: 'shown', text: agent.model ?? 'no model is set: /model provider/name' };
  }
  const choice = modelChoice(name, { environment, chat: configured.configuration.chat });
  if (choice.kind === 'none') {
    return { kind: 'problem', message: problemWords(choice.problem), fix: '/model provider/name' };
  }
  agent.use(choice.model);
  emit({ kind: 'model', name: choice.model.name });
  return { kind: 'shown', text: `${choice.model.name} answers from now on` };
}

function contextText({ plannedTools, conversation }: OpenAgent, columns: number): string {
  const { tools, budget } = plannedTools;
  const costs =
    tools.length === 0
      ? 'There are no tools yet.\n'
      : toolCostsText({ ...toolCostsOf(tools, plannedTools), budget }, columns);
  const use = conversation?.contextUse;
  return use === undefined ? costs.trimEnd() : `${costs}${windowText(use)}`;
}

function costWords({ totals }: OpenAgent): string {
  const { usage, dollars, isPartlyUnknown, requests } = totals;
  const { inputTokens, outputTokens, cacheReadTokens } = usage;
  const price = isPartlyUnknown ? `at least $${dollars.toFixed(4)}` : `$${dollars.toFixed(4)}`;
  return [
    `${requests} requests, ${price}`,
    `${inputTokens} tokens read (${cacheReadTokens} from the cache), ${outputTokens} written`,
  ].join('\n');
}
