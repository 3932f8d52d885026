// What every tool has in common: it only reads, answers with one text for models and with data for programs, and
// says why it failed in words that a model can act on. Registers itself with a server of the SDK.

import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server';
import { deadline, DeadlineExceeded, isObject, messageOf } from '@plugboard/base';
import { z } from 'zod';
import type { CodebaseParts } from '../parts/codebase-parts.ts';
import { type Progress, progressOf } from './progress.ts';

export interface ToolCall {
  readonly parts: CodebaseParts;
  readonly signal: AbortSignal;
  readonly progress: Progress;
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
  register(server: McpServer, parts: CodebaseParts, format: AnswerFormat): void;
}

/** How data is answered: for programs alone, or also as clients have it that know other names. */
export type AnswerFormat = 'plain' | 'compat';

interface ToolWords<Input extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  run(input: z.output<Input>, call: ToolCall): Promise<ToolAnswer>;
}

/** With the time that a call waits for its turn. */
const MOST_CALL_MS = 120_000;
const TOOK_TOO_LONG =
  'it took longer than two minutes and was given up; ask for less, or try again';

const READ_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

export function defineTool<Input extends z.ZodObject>(words: ToolWords<Input>): Tool {
  const { name, title, description, input } = words;
  return {
    name,
    register(server, parts, format) {
      const config = { title, description, inputSchema: input };
      const answer = async (args: unknown, context: ServerContext): Promise<CallToolResult> => {
        using limit = deadline(MOST_CALL_MS, parts.clock, context.mcpReq.signal);
        const { signal } = limit;
        const call = { parts, signal, progress: progressOf(context) };
        try {
          // The SDK has checked the arguments against this very schema.
          const run = () => words.run(args as z.output<Input>, call);
          return resultOf(await parts.turns.run(signal, run), format);
        } catch (thrown) {
          if (signal.reason instanceof DeadlineExceeded)
            return resultOf(failed(TOOK_TOO_LONG), format);
          if (!signal.aborted) {
            parts.logger.log('error', 'a tool failed', { tool: name, reason: messageOf(thrown) });
          }
          return resultOf(failed(`${name} failed: ${messageOf(thrown)}`), format);
        }
      };
      server.registerTool<z.ZodObject, z.ZodObject>(
        name,
        { ...config, annotations: { title, ...READ_ONLY } },
        answer,
      );
    },
  };
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

function resultOf(answer: ToolAnswer, format: AnswerFormat): CallToolResult {
  if (answer.kind === 'failed') {
    return { content: [{ type: 'text', text: answer.message }], isError: true };
  }
  const result = { content: [{ type: 'text' as const, text: answer.text }] };
  if (format === 'plain') return { ...result, _meta: { [DATA]: answer.data } };
  const data = withOtherNames(answer.data);
  return { ...result, structuredContent: data, _meta: { [DATA]: data } };
}

/** `file_path` beside each path, and `line_number` beside the line that a thing is on or begins on. */
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
