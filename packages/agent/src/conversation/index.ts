export type {
  AgentEvent,
  CallProgress,
  ServerInstructions,
  ServerNote,
  TurnEnd,
} from './agent-event.ts';
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
export { callKey, resultsOf } from './message.ts';
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
export { assistantText, callsOf, textAnswer, wholeConversation } from './whole-conversation.ts';
