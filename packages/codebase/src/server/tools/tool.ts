// What all tools have in common: they only read, answer with a text for models and data for programs, and explain failures
// in words that a model can act on. Registers a tool with a server of the SDK.

import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server';
import {
  answerCall,
  deadline,
  DeadlineExceeded,
  isObject,
  type Progress,
  progressOf,
  type ToolAnswer,
  toolFailure,
  toolResult,
  unknownArgument,
} from '@plugboard/base';
import { z } from 'zod';
import type { CodebaseParts, MissingRoot } from '../parts/codebase-parts.ts';

export interface ToolCall {
  readonly parts: CodebaseParts;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

export interface Tool {
  register(server: McpServer, parts: CodebaseParts, format: AnswerFormat): void;
}

/** `compat` also returns the data as `structuredContent`, with additional names for some clients. */
export type AnswerFormat = 'plain' | 'compat';

interface ToolDefinition<Input extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  run(input: z.output<Input>, call: ToolCall): Promise<ToolAnswer>;
}

/** The descriptions of `globs` and `languages`, for every tool with these arguments. */
export const GLOBS = 'Only in these: "src", "src/**/*.ts"; with "!" in front: not these';
export const LANGUAGES = 'Such as "ts", "Python", "rust"';

/** Includes the time that a call waits for its turn. */
const MOST_CALL_MS = 120_000;
const TOOK_TOO_LONG =
  'it took longer than two minutes and was given up; ask for less, or try again';

const READ_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

export function defineTool<Input extends z.ZodObject>(definition: ToolDefinition<Input>): Tool {
  const { name, title, description, input } = definition;
  return {
    register(server, parts, format) {
      const config = { title, description, inputSchema: input };
      const answer = async (args: unknown, context: ServerContext): Promise<CallToolResult> => {
        using limit = deadline(MOST_CALL_MS, parts.clock, context.mcpReq.signal);
        const { signal } = limit;
        const call = { parts, signal, progress: progressOf(context) };
        // The SDK has checked the arguments against this schema.
        const run = () => definition.run(args as z.output<Input>, call);
        const inTurn = () => parts.turns.run(signal, run);
        const found = await answerCall(name, inTurn, { signal, logger: parts.logger });
        const isLate = found.kind === 'failed' && signal.reason instanceof DeadlineExceeded;
        if (isLate) return resultOf(toolFailure(TOOK_TOO_LONG), format);
        return resultOf(
          isAboutAll(args) ? withMissing(found, await parts.missing()) : found,
          format,
        );
      };
      server.registerTool<z.ZodObject, z.ZodObject>(
        name,
        { ...config, annotations: { title, ...READ_ONLY } },
        answer,
      );
    },
  };
}

export function inputOf<Shape extends z.ZodRawShape>(
  shape: Shape,
): z.ZodObject<Shape, z.core.$strict> {
  return z.strictObject(shape, { error: unknownArgument(shape) });
}

/** Whether a call is about all roots; its answer then reports missing ones. */
function isAboutAll(args: unknown): boolean {
  if (!isObject(args) || args['paths'] !== undefined) return false;
  const { path = '.' } = args;
  return path === '.' || path === '';
}

function withMissing(answer: ToolAnswer, missing: readonly MissingRoot[]): ToolAnswer {
  if (answer.kind === 'failed' || missing.length === 0) return answer;
  const notes = missing.map(({ name, reason }) => `The root ${name} is left out: ${reason}.`);
  return {
    ...answer,
    text: [answer.text, ...notes].join('\n'),
    data: { ...answer.data, missing_roots: missing.map((one) => ({ ...one })) },
  };
}

function resultOf(answer: ToolAnswer, format: AnswerFormat): CallToolResult {
  if (answer.kind === 'failed' || format === 'plain') return toolResult(answer);
  const data = withOtherNames(answer.data);
  return { ...toolResult({ ...answer, data }), structuredContent: data };
}

/** Adds `file_path` to each object with a path, and `line_number` to each one with a line or a first line. */
function withOtherNames(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(value).map(([key, inner]) => [key, otherNamesIn(inner)]);
  const { path, line, start_line: start = line } = value;
  return {
    ...(Object.fromEntries(entries) as Record<string, unknown>),
    ...(typeof path === 'string' ? { file_path: path } : {}),
    ...(typeof start === 'number' ? { line_number: start } : {}),
  };
}

function otherNamesIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(otherNamesIn);
  return isObject(value) ? withOtherNames(value) : value;
}
