// The neutral model of tools and results, the same for every revision of the protocol and every transport. Shapes
// follow the wire if both eras agree, so that a result is checked once and passed on without a copy.

import type { Json, JsonObject } from '@plugboard/base';

/** `legacy` opens with `initialize` (2024-11-05 to 2025-11-25); `modern` is 2026-07-28. */
export type Era = 'legacy' | 'modern';

export interface ServerIdentity {
  readonly name: string;
  readonly version: string;
}

/** A server's hints about its own tool. They are claims, and never widen a permission. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

export interface ToolDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: ToolAnnotations;
  /** The tool can only be called as a task, as some tools of legacy servers. */
  readonly needsTask?: true;
  readonly execution?: JsonObject;
  readonly _meta?: JsonObject;
}

/** How long a result may be cached. `private`: only for requests with the same credentials. */
export interface Freshness {
  readonly ttlMs: number;
  readonly scope: 'public' | 'private';
}

/** An item that was left out of a list, and why. */
export interface RejectedItem {
  readonly name: string;
  readonly reason: string;
}

export type ResourceContents =
  | { readonly uri: string; readonly mimeType?: string; readonly text: string }
  | { readonly uri: string; readonly mimeType?: string; readonly blob: string };

export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'audio'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'resource'; readonly resource: ResourceContents }
  | {
      readonly type: 'resource_link';
      readonly uri: string;
      readonly name: string;
      readonly title?: string;
      readonly description?: string;
      readonly mimeType?: string;
    };

export interface ToolResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: Json;
  readonly isError: boolean;
  readonly _meta?: JsonObject;
  /** The server sent no `content`, which the specification requires. What it sent instead, if anything, is structured. */
  readonly lacksContent?: true;
}

export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}
