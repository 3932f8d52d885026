export type { Occasion } from './connection.ts';
export { CrashBrake } from './crash-brake.ts';
export { type Deadlines, deadlinesOf, DEFAULT_DEADLINES } from './deadlines.ts';
export type { EraMemory, EraVerdict } from './era-verdict.ts';
export type { HelperFault } from './headers-helper.ts';
export type { RootsMemory } from './roots-memory.ts';
export { fixedPlan, planOf, type PlanPorts, type SecretReader } from './launch-plan.ts';
export { type ConnectionFailure, type ConnectionState, type NextStep, nextStep } from './state.ts';
export {
  type Barrier,
  type ConnectLimits,
  DEFAULT_CONNECT_LIMITS,
  type SupervisedServer,
  Supervisor,
  type SupervisorPorts,
} from './supervisor.ts';
export { DEFAULT_UPKEEP, upkeepOf, type UpkeepSettings } from './upkeep.ts';
