// The tools that are known from earlier runs, with their pins and their costs, as a separate entrance: a program that only
// shows them need not load the client of servers.

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
