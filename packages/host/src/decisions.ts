// What would be decided about calls, as a separate entrance: from files alone, so a program that only shows it need not
// load what talks to servers.

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
