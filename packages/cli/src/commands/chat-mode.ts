// The initial mode of a conversation, and the calls that the mode "accept edits" allows.

import type { AgentMode } from '@plugboard/agent';
import type { ApprovalRequest } from '@plugboard/host';
import type { ChatSetting } from '@plugboard/host/configuration';

/** The flag, or else the user's own settings, strongest first. */
export function modeOf(
  given: AgentMode | undefined,
  chat: readonly Pick<ChatSetting, 'mode'>[],
): AgentMode {
  return given ?? chat.find(({ mode }) => mode !== undefined)?.mode ?? 'ask';
}

const EDITS: ReadonlySet<string> = new Set(['write_file', 'edit_file']);

/** Rules and data flows that demand a question still apply. */
export function isAcceptedEdit(
  { tool, decision }: Pick<ApprovalRequest, 'tool' | 'decision'>,
  mode: AgentMode,
): boolean {
  const isEdit = tool.server === 'workspace' && EDITS.has(tool.tool);
  return mode === 'accept-edits' && isEdit && decision.because.kind === 'default';
}
