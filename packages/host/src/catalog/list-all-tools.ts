// Follows a server's pages of tools to the end, within bounds: a server that never stops, repeats
// itself or floods gives what it gave so far and a note, not a hang and not an empty list.

import { err, ok, type Result } from '@plugboard/base';
import type { ProtocolFailure, RejectedTool, Session, ToolDefinition } from '../protocol/index.ts';

export interface ListLimits {
  readonly maxPages: number;
  readonly maxTools: number;
  /** Characters of JSON over all definitions. */
  readonly maxSize: number;
}

const DEFAULT_LIST_LIMITS: ListLimits = {
  maxPages: 1000,
  maxTools: 10_000,
  maxSize: 32 * 1024 * 1024,
};

/** Why a listing ended before the server said it was done. */
export type CutReason = 'repeated-cursor' | 'too-many-pages' | 'too-many-tools' | 'too-large';

export interface ToolListing {
  readonly tools: readonly ToolDefinition[];
  readonly rejected: readonly RejectedTool[];
  readonly cut: CutReason | undefined;
}

export async function listAllTools(
  session: Pick<Session, 'listTools'>,
  options: { readonly signal: AbortSignal; readonly timeoutMs: number },
  limits: ListLimits = DEFAULT_LIST_LIMITS,
): Promise<Result<ToolListing, ProtocolFailure>> {
  const gathered = new Gathering(limits);
  let cursor: string | undefined;
  for (;;) {
    const page = await session.listTools(cursor, options);
    if (!page.ok) return err(page.error);
    gathered.add(page.value.tools, page.value.rejected);
    const cut = gathered.cutAt(page.value.nextCursor);
    if (cut !== undefined || page.value.nextCursor === undefined) return ok(gathered.listing(cut));
    cursor = page.value.nextCursor;
  }
}

class Gathering {
  readonly #limits: ListLimits;
  readonly #tools = new Map<string, ToolDefinition>();
  readonly #rejected: RejectedTool[] = [];
  readonly #cursors = new Set<string>();
  #pages = 0;
  #size = 0;

  constructor(limits: ListLimits) {
    this.#limits = limits;
  }

  add(tools: readonly ToolDefinition[], rejected: readonly RejectedTool[]): void {
    this.#pages += 1;
    this.#rejected.push(...rejected);
    for (const tool of tools) {
      if (this.#isFull) return;
      if (this.#tools.has(tool.name)) {
        this.#rejected.push({ name: tool.name, reason: 'is listed twice' });
        continue;
      }
      this.#size += JSON.stringify(tool).length;
      if (this.#size <= this.#limits.maxSize) this.#tools.set(tool.name, tool);
    }
  }

  cutAt(nextCursor: string | undefined): CutReason | undefined {
    if (this.#size > this.#limits.maxSize) return 'too-large';
    if (nextCursor === undefined) return undefined;
    if (this.#tools.size >= this.#limits.maxTools) return 'too-many-tools';
    if (this.#cursors.has(nextCursor)) return 'repeated-cursor';
    this.#cursors.add(nextCursor);
    return this.#pages >= this.#limits.maxPages ? 'too-many-pages' : undefined;
  }

  listing(cut: CutReason | undefined): ToolListing {
    return { tools: [...this.#tools.values()], rejected: this.#rejected, cut };
  }

  get #isFull(): boolean {
    return this.#tools.size >= this.#limits.maxTools || this.#size > this.#limits.maxSize;
  }
}
