// A call as shown on the screen, from its announcement to its answer.

import type { CallProgress, ToolAnswer } from '@plugboard/agent';
import type { JsonObject } from '@plugboard/base';
import type { ChangePreview } from '../../chat/index.ts';

export interface CallView {
  readonly id: string;
  /** The main agent, or the name of a sub-agent. */
  readonly agent: string;
  readonly tool: string;
  readonly server: string;
  readonly title: string;
  readonly arguments: JsonObject;
  readonly state: 'announced' | 'running' | 'waiting' | 'done' | 'failed' | 'cancelled';
  readonly progress?: CallProgress;
  readonly startedAt: number;
  /** The change of a file that the user approved. */
  readonly change?: ChangePreview;
  /** Since when the call waits for the user, and how long it has waited before. Not part of its duration. */
  readonly waitingSince?: number | undefined;
  readonly waitedMs?: number;
  readonly ms?: number;
  readonly answer?: ToolAnswer;
}

/** The agent of the conversation. Only other agents are shown by name. */
export const MAIN_AGENT = 'agent';
