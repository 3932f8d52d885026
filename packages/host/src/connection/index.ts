export { type Deadlines, deadlinesOf, DEFAULT_DEADLINES } from './deadlines.ts';
export type { EraMemory, EraVerdict } from './era-verdict.ts';
export { launchOf } from './launch-of.ts';
export { type ConnectionFailure, type ConnectionState, type NextStep, nextStep } from './state.ts';
export {
  type ConnectLimits,
  DEFAULT_CONNECT_LIMITS,
  type SupervisedServer,
  Supervisor,
} from './supervisor.ts';
export { DEFAULT_UPKEEP, upkeepOf, type UpkeepSettings } from './upkeep.ts';
