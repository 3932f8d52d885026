export { delegateTool, type DelegateToolOptions } from './delegate-tool.ts';
export type { NamedAgent } from './named-agent.ts';
