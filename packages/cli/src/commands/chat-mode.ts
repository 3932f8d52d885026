// The mode that a conversation begins in, and what "accept edits" means for a call.

import type { AgentMode } from '@plugboard/agent';
import type { ApprovalRequest } from '@plugboard/host';
import type { ChatSetting } from '@plugboard/host/configuration';

/** The flag, then the user's own settings, strongest first. */
export function modeOf(
  given: AgentMode | undefined,
  chat: readonly Pick<ChatSetting, 'mode'>[],
): AgentMode {
  return given ?? chat.find(({ mode }) => mode !== undefined)?.mode ?? 'ask';
}

const EDITS: ReadonlySet<string> = new Set(['write_file', 'edit_file']);

/** Only where no rule says to ask, and no flow of data speaks against it. */
export function isAcceptedEdit(
  { tool, decision }: Pick<ApprovalRequest, 'tool' | 'decision'>,
  mode: AgentMode,
): boolean {
  const isEdit = tool.server === 'workspace' && EDITS.has(tool.tool);
  return mode === 'accept-edits' && isEdit && decision.because.kind === 'default';
}
