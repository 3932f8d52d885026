export type { AgentEvent, CallProgress, ServerNote, TurnEnd } from './agent-event.ts';
export type {
  AssistantMessage,
  AssistantPart,
  ImagePart,
  Message,
  ReasoningPart,
  TextPart,
  ToolAnswer,
  ToolCall,
  ToolMessage,
  UserMessage,
  UserPart,
} from './message.ts';
export { resultsOf } from './message.ts';
export { referring, withoutReferences, withReferences } from './repeated-answers.ts';
export type {
  FinishReason,
  LoadableTools,
  Model,
  ModelEvent,
  ModelFailure,
  ModelRequest,
  ModelTool,
  Usage,
} from './model.ts';
export type { RunSettings, Toolbox, ToolFacts, ToolOffer } from './toolbox.ts';
export {
  assistantText,
  callsOf,
  notCarriedOut,
  textAnswer,
  wholeConversation,
} from './whole-conversation.ts';
