// The port to everything that a model may call. Servers and approvals are behind it, so the loop is independent of them.

import type { AgentEvent, CallProgress, ServerNote } from './agent-event.ts';
import type { Message, ToolAnswer, ToolCall, UserMessage } from './message.ts';
import type { LoadableTools, ModelTool } from './model.ts';

export interface Toolbox {
  /** The current offer. Never waits for a server; tools that arrive later are in the next offer. */
  offer(): ToolOffer;
  /** Every failure, including a denial, is an answer that the model can act on. */
  run(call: ToolCall, settings: RunSettings): Promise<ToolAnswer>;
  /** Called when a conversation begins, with the messages of an earlier run, if any. */
  begin?(messages: readonly Message[]): void;
  /** Called when the user adds a message to the conversation. */
  hear?(message: UserMessage): void;
}

export interface ToolOffer {
  readonly tools: readonly ModelTool[];
  /** The same for models that can load tools; only if there are too many to send. */
  readonly loadable?: LoadableTools;
  readonly servers: readonly ServerNote[];
  /** The tool behind a name, for user interfaces that show the call. */
  describe(tool: string): ToolFacts | undefined;
  /** The actual call: for a tool that calls another one, the inner call. */
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
  /** Receives the events of an agent that the call started. */
  readonly onEvent?: (event: AgentEvent) => void;
  /** The name of the agent or sub-agent that makes the call. */
  readonly asker: string;
  /** Which tools a script may call, if the call runs one: all, by default. */
  readonly admits?: (tool: string) => boolean;
}
