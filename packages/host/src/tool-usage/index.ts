// The door of `tool-usage`: counts which tools models use, to plan which definitions they get.

export { type ConversationUses, ToolUsage, type ToolUsageOptions } from './tool-usage.ts';
export type { UsedTool } from './use-counts.ts';
