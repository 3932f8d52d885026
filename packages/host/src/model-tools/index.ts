// The door of `model-tools`: offers a host's tools to a model, and runs its calls.

export { type Answer, outcomeAnswer, textAnswer } from './answer.ts';
export { ModelTools, type NativeOffer, type RunOptions, type ScriptHost } from './model-tools.ts';
export { type MadeCall, runScript, type ScriptRunOptions } from './run-script.ts';
