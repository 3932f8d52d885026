// The door of the package.

export {
  type Agent,
  type AgentAnswer,
  createAgent,
  type CreateAgentOptions,
} from './create-agent.ts';
export { tokensOfMessage, tokensOfText } from './compact/index.ts';
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
  knownModels,
  type ModelChoice,
  type ModelFacts,
  type ModelPorts,
  type ModelSettings,
  type ModelWish,
  type Patience,
  PRICES_OF,
  type ProviderSettings,
  type Way,
  ways,
} from './model/index.ts';
export {
  AGENT_MODES,
  type AgentMode,
  PLAN_MODE_PROMPT,
  type PlanAnswer,
  planGuarded,
  planTool,
  readTodos,
  type Todo,
  TODO_TOOL,
  todosOf,
  UPDATE_TODOS,
  withOwnTools,
} from './own-tools/index.ts';
export { type Picture, type PictureProblem, readPicture, writeNewFile } from './platform/index.ts';
export {
  type PromptFacts,
  type PromptNotes,
  type PromptPart,
  type ServerInstructions,
  systemParts,
  systemPrompt,
} from './prompt/index.ts';
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
  type FileBefore,
  type FileChange,
  type OpenTranscript,
  type TranscriptEntry,
  Transcripts,
  type TranscriptsOptions,
  type TranscriptTurn,
  TypedLines,
  type TypedLinesOptions,
} from './transcript/index.ts';
