export type { ConnectionMemory } from './connection-memory.ts';
export { CrashBrake } from './crash-brake.ts';
export { type Deadlines, deadlinesOf, DEFAULT_DEADLINES } from './deadlines.ts';
export type { EraVerdict } from './era-verdict.ts';
export type { HelperFault } from './headers-helper.ts';
export { fixedPlan, planOf, type PlanPorts, type SecretReader } from './launch-plan.ts';
export {
  type ConnectionFailure,
  type ConnectionState,
  type NextStep,
  nextStep,
  stateAfter,
} from './state.ts';
export {
  type Barrier,
  type ConnectLimits,
  DEFAULT_CONNECT_LIMITS,
  type SupervisedServer,
  Supervisor,
} from './supervisor.ts';
export type { Occasion } from './transition.ts';
export { DEFAULT_UPKEEP, upkeepOf, type UpkeepSettings } from './upkeep.ts';
