// The door of `tool-usage`: which tools models used, for the plan of what they get.

export { type ConversationUses, ToolUsage, type ToolUsageOptions } from './tool-usage.ts';
export type { UsedTool } from './use-counts.ts';
