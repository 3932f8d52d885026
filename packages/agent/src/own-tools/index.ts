export {
  AGENT_MODES,
  type AgentMode,
  PLAN_MODE_PROMPT,
  type PlanAnswer,
  planGuarded,
  planTool,
} from './modes.ts';
export { type OwnTool, withOwnTools } from './own-toolbox.ts';
export { type Skill, skillTool } from './skill-tool.ts';
export { readTodos, type Todo, TODO_TOOL, todosOf, UPDATE_TODOS } from './todo-list.ts';
