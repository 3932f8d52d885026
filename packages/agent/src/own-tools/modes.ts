// The modes of an agent: how much it may do without asking. In plan mode it only reads and searches, and presents a plan.
// The mode is checked for every call, so a change takes effect at once.

import { RUN_CODE } from '@plugboard/host/adapters';
import { textAnswer, type Toolbox } from '../conversation/index.ts';
import type { OwnTool } from './own-toolbox.ts';

/** `ask`: changes require approval. `accept-edits`: files in the folder are changed without approval. */
export const AGENT_MODES = ['ask', 'accept-edits', 'plan'] as const;

export type AgentMode = (typeof AGENT_MODES)[number];

/** The user's decision about a plan. */
export type PlanAnswer =
  /** `plan`: the plan as the user changed it. */
  | { readonly kind: 'approved'; readonly plan?: string | undefined }
  | { readonly kind: 'refused'; readonly reason: string };

const PRESENT_PLAN = 'present_plan';

/** The instructions for the model in plan mode. */
export const PLAN_MODE_PROMPT = `Plan mode is on: read and search only. Calls that change something are refused. Find out what is needed, then call ${PRESENT_PLAN} with a plan in Markdown: what you will change, in which files, in which order, and how you will check it. The user approves it, edits it or refuses it; carry it out only after that.`;

export function planTool(
  mode: () => AgentMode,
  ask: (plan: string, signal: AbortSignal) => Promise<PlanAnswer>,
): OwnTool {
  return {
    title: 'Plan',
    isOffered: () => mode() === 'plan',
    definition: {
      name: PRESENT_PLAN,
      description:
        'Shows the user your plan, once you know enough, and waits for their decision. For plan mode only.',
      inputSchema: {
        type: 'object',
        properties: { plan: { type: 'string', description: 'The whole plan, in Markdown' } },
        required: ['plan'],
      },
    },
    async run(call, { signal }) {
      const { plan } = call.arguments;
      if (typeof plan !== 'string' || plan.trim() === '') {
        return textAnswer(call, `${PRESENT_PLAN} takes { "plan": "…" }.`, 'error');
      }
      const answer = await ask(plan, signal);
      if (answer.kind === 'refused') {
        const why = answer.reason === '' ? '' : ` They say: ${answer.reason}`;
        const words = `The user does not want this plan.${why} Plan mode is still on.`;
        return textAnswer(call, words, 'error');
      }
      return textAnswer(
        call,
        answer.plan === undefined
          ? 'The user approved the plan. Plan mode is off: carry it out.'
          : `The user changed the plan and approved it. Plan mode is off: carry out this one.\n\n${answer.plan}`,
      );
    },
  };
}

const REFUSAL =
  'Not carried out: plan mode is on, and this may change something. Read and search, then present the plan.';

/** The same tools, except that plan mode refuses those that may change something. */
export function planGuarded(toolbox: Toolbox, mode: () => AgentMode): Toolbox {
  const reads = (tool: string): boolean => toolbox.offer().describe(tool)?.isReadOnly === true;
  return {
    offer: () => toolbox.offer(),
    begin: (messages) => toolbox.begin?.(messages),
    hear: (message) => toolbox.hear?.(message),
    run(call, settings) {
      if (mode() !== 'plan') return toolbox.run(call, settings);
      const { tool } = toolbox.offer().resolve(call);
      const { admits } = settings;
      if (tool === RUN_CODE) {
        const both = (name: string): boolean => reads(name) && (admits?.(name) ?? true);
        return toolbox.run(call, { ...settings, admits: both });
      }
      return reads(tool)
        ? toolbox.run(call, settings)
        : Promise.resolve(textAnswer(call, REFUSAL, 'error'));
    },
  };
}
