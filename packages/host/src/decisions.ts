// What would be decided about calls, as an entrance of its own: from files alone, so a program that only
// shows it need not load what talks to servers.

export { type AskedCall, callRules, type CallRules, explainCall } from './permissions/index.ts';
export type {
  Decision,
  Explanation,
  FlowSource,
  Ground,
  Rule,
  RuleMatch,
  StatedMode,
} from './policy/index.ts';
