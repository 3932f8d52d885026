export { type AiSdk, aiSdkTools, type AiSdkTools } from './ai-sdk.ts';
export { READ_RESULT } from '../output/index.ts';
export { answerContent, type AnswerContent, type Content } from './answer-content.ts';
export {
  type AnthropicNativeTools,
  type AnthropicTool,
  type AnthropicToolReference,
  type AnthropicToolResult,
  anthropicTools,
  type AnthropicTools,
  type AnthropicToolUse,
} from './anthropic.ts';
export type { FitOptions, NativeFitOptions, ToolSource } from './fit-tools.ts';
export {
  type GeminiCall,
  type GeminiFunction,
  type GeminiResponse,
  geminiTools,
  type GeminiTools,
} from './gemini.ts';
export {
  type OpenAiChatCall,
  type OpenAiChatResult,
  type OpenAiChatTool,
  openAiChatTools,
  type OpenAiChatTools,
  type OpenAiFunctionCall,
  type OpenAiFunctionOutput,
  type OpenAiNativeTools,
  type OpenAiTool,
  openAiTools,
  type OpenAiTools,
  type OpenAiToolSearch,
  type OpenAiToolSearchCall,
  type OpenAiToolSearchOutput,
} from './open-ai.ts';
