// What the tools of our own MCP servers share: an answer with a text for models and data for programs, a failure with a
// reason that a model can act on, and progress for a client that asked for it. It knows the wire format, and neither an
// SDK nor a schema library.

import { messageOf } from './coded-error.ts';
import { definedFields } from './defined-fields.ts';
import type { Logger } from './logger.ts';

export type ToolAnswer =
  | {
      readonly kind: 'done';
      readonly text: string;
      readonly data: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'failed'; readonly message: string };

export function toolFailure(message: string): {
  readonly kind: 'failed';
  readonly message: string;
} {
  return { kind: 'failed', message };
}

/** Runs one call. Whatever is thrown is an answer as well. */
export async function answerCall(
  tool: string,
  run: () => Promise<ToolAnswer>,
  { signal, logger }: { readonly signal: AbortSignal; readonly logger: Logger },
): Promise<ToolAnswer> {
  try {
    signal.throwIfAborted();
    return await run();
  } catch (thrown) {
    const reason = messageOf(thrown);
    if (!signal.aborted) logger.log('error', 'a tool failed', { tool, reason });
    return toolFailure(`${tool} failed: ${reason}`);
  }
}

/** A `CallToolResult` of the protocol. No interface, which the SDK would not take for one. */
export type ToolResult = {
  content: { type: 'text'; text: string }[];
  isError?: true;
  _meta?: Record<string, unknown>;
};

/**
 * Where programs find the data of an answer. As `structuredContent` it would reach models too: after the text or in its
 * place, as hosts differ in that.
 */
const DATA = 'plugboard/data';

export function toolResult(answer: ToolAnswer): ToolResult {
  return answer.kind === 'failed'
    ? { content: [{ type: 'text', text: answer.message }], isError: true }
    : { content: [{ type: 'text', text: answer.text }], _meta: { [DATA]: answer.data } };
}

/** For the `error` of a strict Zod object: a call with an unknown argument is told the known ones. */
export function unknownArgument(
  shape: object,
): (issue: { readonly code?: string; readonly keys?: unknown }) => string | undefined {
  const names = Object.keys(shape).join(', ');
  return ({ code, keys }) =>
    code === 'unrecognized_keys' && Array.isArray(keys)
      ? `there is no argument ${keys.join(', ')}; the arguments are: ${names}`
      : undefined;
}

/** What is needed of the context that the SDK gives to a tool. */
export interface ToolContext {
  readonly mcpReq: {
    readonly signal: AbortSignal;
    readonly _meta?: { readonly progressToken?: string | number | undefined } | undefined;
    notify(notification: {
      method: 'notifications/progress';
      params: { progressToken: string | number; progress: number; total?: number; message: string };
    }): Promise<void>;
  };
}

export interface Progress {
  /** `done` only ever grows, as the protocol wants it; what would go back is not told. */
  tell(step: { readonly done: number; readonly total?: number; readonly message: string }): void;
}

/** A client that did not ask hears nothing; one that cannot be told any more is no reason for the call to fail. */
export function progressOf({ mcpReq }: ToolContext): Progress {
  const progressToken = mcpReq._meta?.progressToken;
  let last = -1;
  return {
    tell({ done, total, message }) {
      if (progressToken === undefined || done <= last || mcpReq.signal.aborted) return;
      last = done;
      const params = { progressToken, progress: done, ...definedFields({ total }), message };
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {
        // The client has gone; the call ends by its signal.
      });
    },
  };
}
