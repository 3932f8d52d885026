// The door of the package.

export type {
  AgentEvent,
  AssistantMessage,
  AssistantPart,
  CallProgress,
  FinishReason,
  ImagePart,
  LoadableTools,
  Message,
  Model,
  ModelEvent,
  ModelFailure,
  ModelRequest,
  ModelTool,
  ReasoningPart,
  RunSettings,
  ServerNote,
  TextPart,
  ToolAnswer,
  Toolbox,
  ToolCall,
  ToolFacts,
  ToolMessage,
  ToolOffer,
  TurnEnd,
  Usage,
  UserMessage,
  UserPart,
} from './conversation/index.ts';
export {
  type Budget,
  Conversation,
  type ConversationKeeper,
  type ConversationOptions,
  runTurn,
  Spending,
  type SpendingTotals,
  type TurnLimits,
  type TurnOptions,
} from './loop/index.ts';
export {
  chooseModel,
  type ChoiceProblem,
  type ChosenModel,
  createModel,
  type ModelChoice,
  type ModelPorts,
  type ModelSettings,
  type ModelWish,
  type Patience,
  PRICES_OF,
  type ProviderSettings,
  type Way,
  ways,
} from './model/index.ts';
export { type Picture, type PictureProblem, readPicture } from './platform/index.ts';
export { type PromptFacts, type ServerInstructions, systemPrompt } from './prompt/index.ts';
export { type DelegatingOptions, DelegatingToolbox } from './subagent/index.ts';
export {
  HostToolbox,
  type HostToolboxOptions,
  type PlannedTools,
  samplingBy,
  type SamplingPeople,
  type ToolHost,
} from './toolbox/index.ts';
export {
  type OpenTranscript,
  type TranscriptEntry,
  Transcripts,
  type TranscriptsOptions,
  TypedLines,
  type TypedLinesOptions,
} from './transcript/index.ts';
