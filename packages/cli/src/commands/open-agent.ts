// The agent of a folder: the host with its servers, including the two built-in ones, the model, the conversation and its
// transcript. `chat` and `run` differ in who answers questions.

import {
  type AgentEvent,
  type AgentMode,
  type ChosenModel,
  Conversation,
  createModel,
  delegateTool,
  HostToolbox,
  type Model,
  type NamedAgent,
  type OpenTranscript,
  PLAN_MODE_PROMPT,
  type PlanAnswer,
  planGuarded,
  type PlannedTools,
  planTool,
  type PromptFacts,
  type PromptNotes,
  samplingBy,
  skillTool,
  Spending,
  type SpendingTotals,
  systemParts,
  systemPrompt,
  TODO_TOOL,
  type UserMessage,
  withOwnTools,
} from '@plugboard/agent';
import { createWorkspace, type Workspace } from '@plugboard/agent/workspace';
import { Scope, systemClock } from '@plugboard/base';
import {
  type Approver,
  createHost,
  type Elicit,
  environmentNetwork,
  type Host,
  type Network,
  type ReadApprover,
  type SamplingPort,
} from '@plugboard/host';
import {
  type AdmittedConfiguration,
  CODEBASE,
  type HostEnvironment,
  strongest,
  WORKSPACE,
} from '@plugboard/host/configuration';
import { ToolUsage, type ToolBudget } from '@plugboard/host/known-tools';
import type { Context } from '../context.ts';
import { type RequestPart, requestParts } from '../print/request-parts.ts';
import type { ModelFiles } from './model-files.ts';
import { bringsCodebase, inProcessCodebase } from './built-in.ts';
import { CONTEXT_TOKENS } from './tool-budget.ts';

/** Who answers the questions of the host. */
export interface AgentPeople {
  readonly approve: Approver;
  readonly approveRead: ReadApprover;
  readonly elicit: Elicit;
  readonly sampling: Pick<SamplingPort, 'approve' | 'review'>;
}

export interface AgentOptions {
  readonly context: Context;
  readonly environment: HostEnvironment;
  /** The configuration without the built-in servers. */
  readonly configuration: AdmittedConfiguration;
  readonly people: (workspace: Workspace) => AgentPeople;
  readonly mode: () => AgentMode;
  /** Asks about a plan. Omitted if there is no person to ask. */
  readonly plan?: (plan: string, signal: AbortSignal) => Promise<PlanAnswer>;
  readonly model: ChosenModel | undefined;
  readonly transcript: OpenTranscript;
  /** Rules that allow calls for this run. */
  readonly allow: readonly string[];
  readonly limits: AgentLimits;
  readonly toolBudget: ToolBudget;
  /** How long the first request waits for tools. */
  readonly firstWaitMs: number;
  /** `near`: only for the servers of this process. */
  readonly firstWaitFor: 'near' | 'all';
  /** The current instructions of the user and of the folder. */
  readonly notes: () => readonly PromptNotes[];
  /** Agents and skills. */
  readonly files: ModelFiles;
  /** The default decision about a call that would send private data out. */
  readonly flow: 'ask' | 'deny';
}

export interface AgentLimits {
  readonly steps?: number | undefined;
  /** In US dollars. */
  readonly budget?: number | undefined;
}

/** The prompt for plan mode without a person: the answer is the plan. */
const PLAN_ALONE =
  'Plan mode is on: read and search only. Calls that change something are refused. Your answer is a plan: what to change, in which files, in which order, and how to check it.';

export async function openAgent(options: AgentOptions): Promise<OpenAgent> {
  const { context, environment, configuration, people, model } = options;
  const scope = new Scope();
  try {
    // Both built-in servers use the same root, since a model passes paths from one to the other.
    const place = { codebase: configuration.codebase, root: environment.cwd };
    const codebase = scope.use(
      inProcessCodebase(place, { version: context.version, indexing: 'at-once' }),
    );
    const talk: Talk = { model: undefined, transcript: options.transcript };
    const workspace = scope.use(
      createWorkspace({
        root: environment.cwd,
        onChange: (change) => talk.transcript.changed(change),
      }),
    );
    const { sampling, ...asked } = people(workspace);
    const network = environmentNetwork(environment);
    scope.defer(() => network.close());
    const first = model === undefined ? undefined : modelOf(model, network);
    talk.model = first;
    const host = scope.use(
      await createHost({
        environment,
        configuration,
        inProcess: {
          ...(bringsCodebase(environment) ? { [CODEBASE]: codebase } : {}),
          [WORKSPACE]: workspace.server(),
        },
        ...asked,
        ...(first === undefined
          ? {}
          : { sampling: samplingBy(() => talk.model ?? first, sampling) }),
        trust: context.trust,
        permissions: { allow: [...options.allow] },
        ...context.named,
        ide: 'discover',
        flow: options.flow,
      }),
    );
    host.results.adopt(options.transcript.results);
    await options.files.refresh(model?.name);
    const usage = await ToolUsage.open({ state: environment.paths.state });
    return new OpenAgent({ ...options, host, scope, talk, usage, workspace, network });
  } catch (thrown) {
    await scope.close();
    throw thrown;
  }
}

/** The current model and transcript, which the user can replace. */
interface Talk {
  model: Model | undefined;
  transcript: OpenTranscript;
}

interface AgentParts extends AgentOptions {
  readonly host: Host;
  readonly scope: Scope;
  readonly usage: ToolUsage;
  readonly workspace: Workspace;
  /** The network for requests to models. */
  readonly network: Network;
  readonly talk: Talk;
}

export class OpenAgent implements AsyncDisposable {
  readonly host: Host;
  readonly workspace: Workspace;
  readonly #parts: AgentParts;
  readonly #toolbox: HostToolbox;
  readonly #spending: Spending;
  #conversation: Conversation | undefined;
  /** Whether the conversation was replaced and has had no message since. */
  #isNew = false;

  constructor(parts: AgentParts) {
    this.host = parts.host;
    this.workspace = parts.workspace;
    this.#parts = parts;
    const { budget } = parts.limits;
    this.#spending = new Spending(budget === undefined ? {} : { dollars: budget });
    this.#toolbox = parts.scope.use(
      new HostToolbox({
        host: parts.host,
        clock: systemClock,
        contextTokens: parts.talk.model?.contextTokens ?? CONTEXT_TOKENS,
        toolBudget: parts.toolBudget,
        usage: parts.usage,
        code: strongest(parts.configuration.chat, 'code') ?? false,
        essential: [CODEBASE, WORKSPACE],
        firstWaitMs: parts.firstWaitMs,
        firstWaitFor: parts.firstWaitFor,
      }),
    );
  }

  get model(): string | undefined {
    return this.#parts.talk.model?.name;
  }

  get totals(): SpendingTotals {
    return this.#spending.totals;
  }

  /** Which tools the model gets in its requests, and which it searches for. */
  get plannedTools(): PlannedTools {
    return this.#toolbox.planned;
  }

  /** Takes effect with the next turn. */
  use(chosen: ChosenModel): void {
    const model = modelOf(chosen, this.#parts.network);
    this.#parts.talk.model = model;
    if (this.#conversation !== undefined) this.#conversation.model = model;
  }

  /** The parts of the next request. */
  nextRequest(): readonly RequestPart[] {
    const offer = this.conversation?.offer ?? this.#toolbox.offer();
    return requestParts({
      system: systemParts(this.#promptFacts()),
      tools: offer.tools,
      serverOf: (name) => offer.describe(name)?.server,
      messages: this.transcript.messages,
    });
  }

  get transcript(): OpenTranscript {
    return this.#parts.talk.transcript;
  }

  /** Replaces the conversation with another one, or with an earlier state of the same one. */
  async continueWith(transcript: OpenTranscript): Promise<void> {
    const { talk, host } = this.#parts;
    await talk.transcript.settled();
    talk.transcript = transcript;
    host.results.adopt(transcript.results);
    this.#conversation = undefined;
    this.#isNew = true;
  }

  /** The conversation; `undefined` while there is no model. */
  get conversation(): Conversation | undefined {
    const { model } = this.#parts.talk;
    if (model !== undefined) this.#conversation ??= this.#begin(model);
    return this.#conversation;
  }

  async *send(message: UserMessage, signal: AbortSignal): AsyncGenerator<AgentEvent> {
    const { conversation } = this;
    if (conversation === undefined) {
      const failure = { kind: 'other', message: 'there is no model' } as const;
      yield { agent: 'agent', kind: 'turn-ended', end: { kind: 'failed', failure } };
      return;
    }
    await this.#parts.files.refresh(this.model);
    yield* conversation.send(this.#withJobs(message), signal);
  }

  /** Adds news about commands in the background to the message. */
  #withJobs(message: UserMessage): UserMessage {
    const news = this.workspace.jobs.news(this.#isNew ? 'another' : 'same');
    this.#isNew = false;
    const parts = news.map((one) => ({ kind: 'attachment', ...one }) as const);
    return parts.length === 0 ? message : { ...message, parts: [...message.parts, ...parts] };
  }

  /** Ends all servers and running commands, and waits until the transcript is written. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.scope.close();
    await this.#parts.talk.transcript.settled();
    await this.#parts.usage.settled();
  }

  #begin(model: Model): Conversation {
    const { limits, talk, mode, plan, files } = this.#parts;
    const { transcript } = talk;
    const system = (): string => systemPrompt(this.#promptFacts());
    const withSkills = withOwnTools(this.#toolbox, [skillTool(() => files.skills())]);
    const shared = planGuarded(withSkills, mode);
    const delegate = delegateTool({
      toolbox: shared,
      agents: () => this.#agents(),
      model: () => talk.model ?? model,
      clock: systemClock,
      system,
      spending: this.#spending,
    });
    const toolbox = withOwnTools(shared, [
      delegate,
      TODO_TOOL,
      ...(plan === undefined ? [] : [planTool(mode, plan)]),
    ]);
    return new Conversation({
      model,
      toolbox,
      clock: systemClock,
      system,
      earlier: transcript.messages,
      spending: this.#spending,
      keeper: transcript,
      firstTools: (signal) => this.#toolbox.firstTools(signal),
      ...(limits.steps === undefined ? {} : { limits: { steps: limits.steps } }),
    });
  }

  #agents(): readonly NamedAgent[] {
    const { files, network } = this.#parts;
    return files.agents().map(({ chosen, ...agent }) => ({
      ...agent,
      ...(chosen === undefined ? {} : { model: () => modelOf(chosen, network) }),
    }));
  }

  #promptFacts(): PromptFacts {
    const { environment } = this.#parts;
    const notes = this.#parts.notes();
    const { mode, plan } = this.#parts;
    const planning = plan === undefined ? PLAN_ALONE : PLAN_MODE_PROMPT;
    return {
      folder: environment.cwd,
      platform: environment.platform,
      notes,
      ...this.#toolbox.promptFacts(),
      ...(mode() === 'plan' ? { mode: planning } : {}),
    };
  }
}

/** Uses the proxies and certificates of the environment, like connections to servers. */
function modelOf(chosen: ChosenModel, network: Network): Model {
  return createModel(chosen, {
    clock: systemClock,
    random: Math.random,
    fetch: (input, init) =>
      network.fetch(input instanceof Request ? new URL(input.url) : input, init),
  });
}
