// The tools that are known from earlier runs, what was accepted of them and what they cost, as a separate entrance: a
// program that only shows them need not load what talks to servers.

export {
  type HostTool,
  type KnownPins,
  knownPins,
  type KnownTools,
  knownTools,
} from './catalog/index.ts';
export {
  budgetTokens,
  type CountTokens,
  declaration,
  DEFAULT_TOOL_BUDGET,
  planTools,
  RUN_CODE_TOKENS,
  readToolBudget,
  type ServerPlan,
  type ToolBudget,
  type ToolPlan,
  toolTokens,
} from './tool-search/index.ts';
export { ToolUsage } from './tool-usage/index.ts';
export { forgetPins, type PinProblem, type Quarantined } from './pins/index.ts';
