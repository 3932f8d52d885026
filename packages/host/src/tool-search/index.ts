// The door of `tool-search`: finds tools for a task, and offers a model three tools in place of all.

export type { TextEncoder } from './meaning-scores.ts';
export { openToolIndex } from './tool-index.ts';
export type { ToolMode } from './mode-costs.ts';
export { planTools, type PlanOptions, type ServerPlan, type ToolPlan } from './plan.ts';
export {
  budgetTokens,
  type CountTokens,
  DEFAULT_TOOL_BUDGET,
  readToolBudget,
  type ToolBudget,
  toolTokens,
} from './tool-tokens.ts';
export {
  CALL_TOOL,
  DESCRIBE_TOOLS,
  isSearchTool,
  type OfferedTool,
  SEARCH_TOOLS,
  ToolSearch,
  type ToolSearchAnswer,
} from './tool-search.ts';
export { declaration, type DescribedTool } from './signature.ts';
export { ToolIndex, type ToolIndexOptions } from './tool-index.ts';
export type { SearchableTool } from './tool-text.ts';
export { RUN_CODE, RUN_CODE_DEFINITION, RUN_CODE_TOKENS } from './run-code.ts';
