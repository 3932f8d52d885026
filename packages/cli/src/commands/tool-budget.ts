// The token budget for definitions of tools, from the flag or the user's settings.

import { type ChatSetting, strongest } from '@plugboard/host/configuration';
import { DEFAULT_TOOL_BUDGET, readToolBudget, type ToolBudget } from '@plugboard/host/known-tools';
import { UsageError } from '../usage-error.ts';

/** The usual context window, for use without a model. */
export const CONTEXT_TOKENS = 200_000;

/** `chat` contains the user's own settings, strongest first. */
export function toolBudgetOf(
  flag: string | undefined,
  chat: readonly Pick<ChatSetting, 'toolBudget'>[],
): ToolBudget {
  if (flag !== undefined) {
    const read = readToolBudget(flag);
    if (read !== undefined) return read;
    throw new UsageError(
      `--tool-budget takes a number of tokens or a share, not "${flag}"`,
      'give it as in --tool-budget 30000, or --tool-budget 15%',
    );
  }
  return readToolBudget(strongest(chat, 'toolBudget')) ?? DEFAULT_TOOL_BUDGET;
}
