export {
  ConversationFlow,
  type FlowConcern,
  type FlowSnapshot,
  type FlowSource,
  type TakenText,
} from './flow/conversation-flow.ts';
export { type Label, LABELS } from './flow/known-servers.ts';
export {
  callReach,
  labelsOfTool,
  type ServerNature,
  type StatedLabels,
  type ToolLabels,
} from './flow/tool-labels.ts';
export {
  type HookAnswer,
  type HookKey,
  MAX_HOOK_OUTPUT,
  readHookAnswer,
} from './hooks/hook-answer.ts';
export { compileHookMatch, type HookMatch } from './hooks/hook-match.ts';
export {
  type Decision,
  type Explanation,
  type Ground,
  type Mode,
  type RuleMatch,
  type StatedMode,
} from './rules/decision.ts';
export { Policy, type PolicyParts } from './rules/policy.ts';
export type { ResourceSubject } from './rules/resource.ts';
export type { Effect, Operator, Predicate, Rule, RuleOrigin, RuleTarget } from './rules/rule.ts';
export { ruleChoices } from './rules/rule-choices.ts';
export type { CallSubject, ServerStanding, ToolClaims } from './rules/subject.ts';
export { cleanedText, type RemovedCharacter } from './scan/cleaned-text.ts';
export type { ScanFinding } from './scan/finding.ts';
export { scanDefinition, scanText } from './scan/scan-definition.ts';
export { scanServer } from './scan/scan-server.ts';
export { type Neighbours, Peers, type PeerTool } from './scan/shadowing.ts';
