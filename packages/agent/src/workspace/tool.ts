// Defines a tool: its answer has a text for models and data for programs, and a failure has a reason that a model can act
// on. Registers tools with a server of the SDK.

import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server';
import {
  answerCall,
  progressOf,
  type ToolAnswer,
  toolResult,
  unknownArgument,
} from '@plugboard/base';
import { z } from 'zod';
import type { WorkspaceParts } from './workspace-parts.ts';

export interface ToolCall {
  readonly parts: WorkspaceParts;
  /** Aborts when the client cancels the call or disconnects, and when the workspace is closed. */
  readonly signal: AbortSignal;
  /** Reports progress to a client that requested it. */
  readonly tell: (message: string) => void;
}

export interface Tool {
  register(server: McpServer, parts: WorkspaceParts): void;
}

interface ToolWords<Input extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly reach: 'this-folder' | 'anything';
  readonly effect: 'reads' | 'changes';
  readonly input: Input;
  readonly run: (input: z.output<Input>, call: ToolCall) => Promise<ToolAnswer>;
}

export function defineTool<Input extends z.ZodObject>(words: ToolWords<Input>): Tool {
  const { name, title, description, input, reach, effect, run } = words;
  const annotations = {
    title,
    readOnlyHint: effect === 'reads',
    destructiveHint: effect === 'changes',
    idempotentHint: effect === 'reads',
    openWorldHint: reach === 'anything',
  };
  return {
    register(server, parts) {
      const answer = async (args: unknown, context: ServerContext): Promise<CallToolResult> => {
        const signal = AbortSignal.any([context.mcpReq.signal, parts.closing]);
        const call = { parts, signal, tell: tellerOf(context) };
        // The SDK has checked the arguments against this very schema.
        const start = (): Promise<ToolAnswer> => run(args as z.output<Input>, call);
        const running = answerCall(name, start, { signal, logger: parts.logger });
        parts.running.add(running);
        try {
          return toolResult(await running);
        } finally {
          parts.running.delete(running);
        }
      };
      const config = { title, description, inputSchema: input, annotations };
      server.registerTool<z.ZodObject, z.ZodObject>(name, config, answer);
    },
  };
}

export function inputOf<Shape extends z.ZodRawShape>(
  shape: Shape,
): z.ZodObject<Shape, z.core.$strict> {
  return z.strictObject(shape, { error: unknownArgument(shape) });
}

function tellerOf(context: ServerContext): (message: string) => void {
  const progress = progressOf(context);
  let done = 0;
  return (message) => progress.tell({ done: (done += 1), message });
}
