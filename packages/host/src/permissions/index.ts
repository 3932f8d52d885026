export { callPolicy, standingsOf } from './call-policy.ts';
export { type CallContext, callRules, type CallRules } from './call-rules.ts';
export { type AskedCall, explainCall } from './explain-call.ts';
export { type FlowContext, type FlowSettings, flowSettings } from './flow-settings.ts';
export { personsRule, withRealFolders } from './persons-rule.ts';
export { withRealPaths } from './real-paths.ts';
