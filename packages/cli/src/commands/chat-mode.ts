// The initial mode of a conversation, and the calls that the mode "accept edits" allows.

import { AGENT_MODES, type AgentMode } from '@plugboard/agent';
import type { ApprovalRequest } from '@plugboard/host';
import { type ChatSetting, strongest, WORKSPACE } from '@plugboard/host/configuration';
import { UsageError } from '../usage-error.ts';

/** The flag, or else the user's own settings, strongest first. */
export function modeOf(
  flag: string | undefined,
  chat: readonly Pick<ChatSetting, 'mode'>[],
): AgentMode {
  if (flag === undefined) return strongest(chat, 'mode') ?? 'ask';
  const mode = AGENT_MODES.find((one) => one === flag);
  if (mode !== undefined) return mode;
  throw new UsageError(`there is no mode "${flag}"`, `use one of: ${AGENT_MODES.join(', ')}`);
}

const EDITS: ReadonlySet<string> = new Set(['write_file', 'edit_file']);

/** Rules and data flows that demand a question still apply. */
export function isAcceptedEdit(
  { tool, decision }: Pick<ApprovalRequest, 'tool' | 'decision'>,
  mode: AgentMode,
): boolean {
  const isEdit = tool.server === WORKSPACE && EDITS.has(tool.tool);
  return mode === 'accept-edits' && isEdit && decision.because.kind === 'default';
}
