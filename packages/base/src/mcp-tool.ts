// Shared by the tools of Plugboard's own MCP servers: an answer with a text for models and data for programs, a failure
// with a reason that a model can act on, and progress for a client that requests it. Depends on the wire format, but on
// neither an SDK nor a schema library.

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

/** Runs one call. A thrown error becomes an answer as well. */
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

/** A `CallToolResult` of the protocol. Not an interface, which would not be assignable to the SDK's type. */
export type ToolResult = {
  content: { type: 'text'; text: string }[];
  isError?: true;
  _meta?: Record<string, unknown>;
};

/** The key of an answer's data. As `structuredContent`, some hosts would pass it to models, too. */
const DATA = 'plugboard/data';

export function toolResult(answer: ToolAnswer): ToolResult {
  return answer.kind === 'failed'
    ? { content: [{ type: 'text', text: answer.message }], isError: true }
    : { content: [{ type: 'text', text: answer.text }], _meta: { [DATA]: answer.data } };
}

/** For the `error` of a strict Zod object: names the known arguments to a call with an unknown one. */
export function unknownArgument(
  shape: object,
): (issue: { readonly code?: string; readonly keys?: unknown }) => string | undefined {
  const names = Object.keys(shape).join(', ');
  return ({ code, keys }) =>
    code === 'unrecognized_keys' && Array.isArray(keys)
      ? `there is no argument ${keys.join(', ')}; the arguments are: ${names}`
      : undefined;
}

/** The part of the SDK's tool context that is used. */
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
  /** `done` must grow, as the protocol requires; other steps are ignored. */
  tell(step: { readonly done: number; readonly total?: number; readonly message: string }): void;
}

/** Nothing is sent to a client that did not request progress. A failure to send does not fail the call. */
export function progressOf({ mcpReq }: ToolContext): Progress {
  const progressToken = mcpReq._meta?.progressToken;
  let last = -1;
  return {
    tell({ done, total, message }) {
      if (progressToken === undefined || done <= last || mcpReq.signal.aborted) return;
      last = done;
      const params = { progressToken, progress: done, ...definedFields({ total }), message };
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {
        // The client has disconnected; the signal ends the call.
      });
    },
  };
}
