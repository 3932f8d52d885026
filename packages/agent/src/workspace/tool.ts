// What every tool has in common: it changes something, says what in one text for models and in data for programs, and
// says why it failed in words that a model can act on. Registers itself with a server of the SDK.

import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server';
import { messageOf } from '@plugboard/base';
import { z } from 'zod';
import type { WorkspaceParts } from './workspace-parts.ts';

export interface ToolCall {
  readonly parts: WorkspaceParts;
  /** Aborts when the client gives the call up or goes, and when the workspace is closed. */
  readonly signal: AbortSignal;
  /** Tells a client that asked for it what is going on. */
  readonly tell: (message: string) => void;
}

export type ToolAnswer =
  | {
      readonly kind: 'done';
      readonly text: string;
      readonly data: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'failed'; readonly message: string };

export interface Tool {
  readonly name: string;
  register(server: McpServer, parts: WorkspaceParts): void;
}

interface ToolWords<Input extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly reach: 'this-folder' | 'anything';
  readonly input: Input;
  readonly run: (input: z.output<Input>, call: ToolCall) => Promise<ToolAnswer>;
}

export function defineTool<Input extends z.ZodObject>(words: ToolWords<Input>): Tool {
  const { name, title, description, input, reach } = words;
  const annotations = {
    title,
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: reach === 'anything',
  };
  return {
    name,
    register(server, parts) {
      const answer = async (args: unknown, context: ServerContext): Promise<CallToolResult> => {
        const signal = AbortSignal.any([context.mcpReq.signal, parts.closing]);
        const call = { parts, signal, tell: tellerOf(context) };
        // The SDK has checked the arguments against this very schema.
        const running = settle(words, args as z.output<Input>, call);
        parts.running.add(running);
        try {
          return resultOf(await running);
        } finally {
          parts.running.delete(running);
        }
      };
      const config = { title, description, inputSchema: input, annotations };
      server.registerTool<z.ZodObject, z.ZodObject>(name, config, answer);
    },
  };
}

/** Whatever is thrown is an answer as well. */
async function settle<Input extends z.ZodObject>(
  { name, run }: ToolWords<Input>,
  input: z.output<Input>,
  call: ToolCall,
): Promise<ToolAnswer> {
  const { parts, signal } = call;
  try {
    signal.throwIfAborted();
    return await run(input, call);
  } catch (thrown) {
    const reason = messageOf(thrown);
    if (!signal.aborted) parts.logger.log('error', 'a tool failed', { tool: name, reason });
    return failed(`${name} failed: ${reason}`);
  }
}

/** A call with an unknown argument gets an error that lists the known ones. */
export function inputOf<Shape extends z.ZodRawShape>(
  shape: Shape,
): z.ZodObject<Shape, z.core.$strict> {
  const names = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `there is no argument ${issue.keys.join(', ')}; the arguments are: ${names}`
        : undefined,
  });
}

export function failed(message: string): { readonly kind: 'failed'; readonly message: string } {
  return { kind: 'failed', message };
}

/**
 * Where programs find the data of an answer. As `structuredContent` it would reach models too: after the text or in its
 * place, as hosts differ in that.
 */
const DATA = 'plugboard/data';

function resultOf(answer: ToolAnswer): CallToolResult {
  if (answer.kind === 'failed') {
    return { content: [{ type: 'text', text: answer.message }], isError: true };
  }
  return { content: [{ type: 'text', text: answer.text }], _meta: { [DATA]: answer.data } };
}

/** The protocol wants a number that grows with each. */
function tellerOf(context: ServerContext): (message: string) => void {
  const progressToken = context.mcpReq._meta?.progressToken;
  let progress = 0;
  return (message) => {
    if (progressToken === undefined || context.mcpReq.signal.aborted) return;
    progress += 1;
    const params = { progressToken, progress, message };
    context.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {
      // The client has gone; the call ends by its signal.
    });
  };
}
