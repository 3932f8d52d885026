// Decisions about calls, from files alone, as a separate entrance: a program that only shows them need not load the client
// of servers.

export {
  type AskedCall,
  callRules,
  type CallRules,
  explainCall,
  flowSettings,
} from './permissions/index.ts';
export { cleanedText, LABELS, labelsOfTool, scanText } from './policy/index.ts';
export type {
  Decision,
  Explanation,
  FlowSource,
  Ground,
  Label,
  Rule,
  RemovedCharacter,
  RuleMatch,
  ScanFinding,
  StatedMode,
  ToolLabels,
} from './policy/index.ts';
