// The port to everything a model may call, wherever it is. The loop knows no server and no approval: both are behind it.

import type { AgentEvent, CallProgress, ServerNote } from './agent-event.ts';
import type { Message, ToolAnswer, ToolCall, UserMessage } from './message.ts';
import type { LoadableTools, ModelTool } from './model.ts';

export interface Toolbox {
  /** What is on offer now. Never waits for a server; what arrives later is in the next answer. */
  offer(): ToolOffer;
  /** Whatever goes wrong, including a denial, is an answer that the model can act on. */
  run(call: ToolCall, settings: RunSettings): Promise<ToolAnswer>;
  /** A conversation begins with these messages: none, or those of an earlier run. */
  begin?(messages: readonly Message[]): void;
  /** The user adds a message to the conversation. */
  hear?(message: UserMessage): void;
}

export interface ToolOffer {
  readonly tools: readonly ModelTool[];
  /** The same for models that can load tools; only where there are too many to send. */
  readonly loadable?: LoadableTools;
  readonly servers: readonly ServerNote[];
  /** What a tool name refers to, for user interfaces that show the call. */
  describe(tool: string): ToolFacts | undefined;
  /** The call that is really made: of a tool that calls another one, that other call. */
  resolve(call: ToolCall): ToolCall;
}

export interface ToolFacts {
  readonly server: string;
  readonly title: string;
  /** Calls that only read may run in parallel. */
  readonly isReadOnly: boolean;
}

export interface RunSettings {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: CallProgress) => void;
  /** Events of an agent that the call started. */
  readonly onEvent?: (event: AgentEvent) => void;
  /** Who asks: the agent, or the name of a sub-agent. */
  readonly asker: string;
  /** Which tools a script may call, where the call runs one: all, by default. */
  readonly admits?: (tool: string) => boolean;
}
