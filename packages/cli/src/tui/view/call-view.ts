// One call as it is shown, from its announcement to its answer.

import type { CallProgress, ToolAnswer } from '@plugboard/agent';
import type { JsonObject } from '@plugboard/base';
import type { ChangePreview } from '../../chat/index.ts';

export interface CallView {
  readonly id: string;
  /** Who calls: the agent, or the name of a sub-agent. */
  readonly agent: string;
  readonly tool: string;
  readonly server: string;
  readonly title: string;
  readonly arguments: JsonObject;
  readonly state: 'announced' | 'running' | 'waiting' | 'done' | 'failed' | 'cancelled';
  readonly progress?: CallProgress;
  readonly startedAt: number;
  /** What it changes in a file, as the person saw it before they allowed it. */
  readonly change?: ChangePreview;
  /** Since when it waits for a person, and how long it has waited before: that is not its own time. */
  readonly waitingSince?: number | undefined;
  readonly waitedMs?: number;
  readonly ms?: number;
  readonly answer?: ToolAnswer;
}

/** The agent that the user talks with. Only other agents are shown by name. */
export const MAIN_AGENT = 'agent';
