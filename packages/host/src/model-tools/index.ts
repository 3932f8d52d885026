// The door of `model-tools`: what a model gets of a host's tools, and what becomes of its calls.

export { type Answer, outcomeAnswer, textAnswer } from './answer.ts';
export {
  ModelTools,
  type NativeOffer,
  type OfferedTool,
  type RunOptions,
  type ScriptHost,
} from './model-tools.ts';
export { type MadeCall, runScript, type ScriptRunOptions } from './run-script.ts';
