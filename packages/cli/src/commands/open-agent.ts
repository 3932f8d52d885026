// Everything that an agent in this folder works with: the host with its servers, the two built-in ones among them, the
// model, the conversation and what is kept of it. `chat` and `run` differ only in who is asked.

import {
  type AgentEvent,
  type ChosenModel,
  Conversation,
  createModel,
  DelegatingToolbox,
  HostToolbox,
  type Model,
  type OpenTranscript,
  type PlannedTools,
  samplingBy,
  Spending,
  type SpendingTotals,
  systemPrompt,
  type UserMessage,
} from '@plugboard/agent';
import { createWorkspace, type Workspace } from '@plugboard/agent/workspace';
import { Scope, systemClock } from '@plugboard/base';
import {
  type Approver,
  createHost,
  type Elicit,
  type Host,
  type ReadApprover,
  type SamplingPort,
} from '@plugboard/host';
import type { AdmittedConfiguration, HostEnvironment } from '@plugboard/host/configuration';
import { ToolUsage, type ToolBudget } from '@plugboard/host/known-tools';
import type { Context } from '../context.ts';
import { mayWriteScripts } from './code-setting.ts';
import { bringsCodebase, CODEBASE, codebaseChoice, inProcessCodebase } from './built-in.ts';

/** Who is asked about what. */
export interface AgentPeople {
  readonly approve: Approver;
  readonly approveRead: ReadApprover;
  readonly elicit: Elicit;
  readonly sampling: Pick<SamplingPort, 'approve' | 'review'>;
}

export interface AgentOptions {
  readonly context: Context;
  readonly environment: HostEnvironment;
  /** As it was read, without what is built in. */
  readonly configuration: AdmittedConfiguration;
  readonly people: (workspace: Workspace) => AgentPeople;
  readonly model: ChosenModel | undefined;
  readonly transcript: OpenTranscript;
  readonly limits: AgentLimits;
  readonly toolBudget: ToolBudget;
  /** For so long the first request waits for tools: those of this very process, or of all servers. */
  readonly firstWaitMs: number;
  readonly firstWaitFor: 'near' | 'all';
  /** The instructions of the folder that count just now. */
  readonly notes: () => string | undefined;
  /** What happens to a call that would lead private data out, where the settings say nothing. */
  readonly flow: 'ask' | 'deny';
}

export interface AgentLimits {
  readonly steps?: number | undefined;
  /** In US dollars. */
  readonly budget?: number | undefined;
}

export const WORKSPACE = 'workspace';
/** Where no model is chosen yet, as most have it. */
const CONTEXT_TOKENS = 200_000;

export async function openAgent(options: AgentOptions): Promise<OpenAgent> {
  const { context, environment, configuration, people, model } = options;
  const scope = new Scope();
  try {
    // Both built-in servers name files from the same folder, or a model would take one's paths to the other.
    const choice = { ...codebaseChoice(configuration), root: environment.cwd };
    const codebase = scope.use(
      inProcessCodebase(choice, { version: context.version, indexing: 'at-once' }),
    );
    const workspace = scope.use(createWorkspace({ root: environment.cwd }));
    const { sampling, ...asked } = people(workspace);
    const first = model === undefined ? undefined : modelOf(model);
    const talk: { model: Model | undefined } = { model: first };
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
        ...context.named,
        ide: 'discover',
        flow: options.flow,
      }),
    );
    host.results.adopt(options.transcript.results);
    const usage = await ToolUsage.open({ state: environment.paths.state });
    return new OpenAgent({ ...options, host, scope, talk, usage });
  } catch (thrown) {
    await scope.close();
    throw thrown;
  }
}

interface AgentParts extends AgentOptions {
  readonly host: Host;
  readonly scope: Scope;
  readonly usage: ToolUsage;
  /** The model as it is now. */
  readonly talk: { model: Model | undefined };
}

export class OpenAgent implements AsyncDisposable {
  readonly host: Host;
  readonly #parts: AgentParts;
  readonly #toolbox: HostToolbox;
  readonly #spending: Spending;
  #conversation: Conversation | undefined;

  constructor(parts: AgentParts) {
    this.host = parts.host;
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
        code: mayWriteScripts(parts.configuration.chat),
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

  /** How the model gets its tools in this conversation. */
  get plannedTools(): PlannedTools {
    return this.#toolbox.planned;
  }

  /** From the next turn on. */
  use(chosen: ChosenModel): void {
    const model = modelOf(chosen);
    this.#parts.talk.model = model;
    if (this.#conversation !== undefined) this.#conversation.model = model;
  }

  /** The conversation; nothing while there is no model. */
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
    yield* conversation.send(message, signal);
  }

  /** Ends every server and every command that runs. What was said is on disk then. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.scope.close();
    await this.#parts.transcript.settled();
    await this.#parts.usage.settled();
  }

  #begin(model: Model): Conversation {
    const { transcript, limits, talk } = this.#parts;
    const system = (): string => this.#system();
    const toolbox = new DelegatingToolbox({
      toolbox: this.#toolbox,
      model: () => talk.model ?? model,
      clock: systemClock,
      system,
      spending: this.#spending,
    });
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

  #system(): string {
    const { environment } = this.#parts;
    const notes = this.#parts.notes();
    return systemPrompt({
      folder: environment.cwd,
      platform: environment.platform,
      ...(notes === undefined ? {} : { projectNotes: notes }),
      ...this.#toolbox.promptFacts(),
    });
  }
}

function modelOf(chosen: ChosenModel): Model {
  return createModel(chosen, { clock: systemClock, random: Math.random });
}
