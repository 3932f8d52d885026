export { outcomeText } from './outcome-text.ts';
export { Sandbox, type SandboxOptions } from './sandbox.ts';
export {
  type CallContext,
  type CallRecord,
  type CallResult,
  DEFAULT_LIMITS,
  type LimitName,
  type ScriptCall,
  type ScriptError,
  type ScriptLimits,
  type ScriptOptions,
  type ScriptOutcome,
  type ScriptReport,
  type ScriptTool,
} from './script.ts';
