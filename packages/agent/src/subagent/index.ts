export { DelegatingToolbox, type DelegatingOptions } from './delegating-toolbox.ts';
export type { NamedAgent } from './named-agent.ts';
