// Lists all tools of a server.

import { ok, type Result } from '@plugboard/base';
import type {
  Freshness,
  ProtocolFailure,
  RejectedItem,
  Session,
  ToolDefinition,
} from '../protocol/index.ts';
import { type CutReason, DEFAULT_LIST_LIMITS, listAll, type ListLimits } from './list-all.ts';

export interface ToolListing {
  readonly tools: readonly ToolDefinition[];
  readonly rejected: readonly RejectedItem[];
  readonly cut: CutReason | undefined;
  readonly freshness: Freshness | undefined;
}

export async function listAllTools(
  session: Pick<Session, 'listTools'>,
  options: { readonly signal: AbortSignal; readonly timeoutMs: number },
  limits: ListLimits = DEFAULT_LIST_LIMITS,
): Promise<Result<ToolListing, ProtocolFailure>> {
  const listed = await listAll(
    {
      nameOf: ({ name }: ToolDefinition) => name,
      async page(cursor) {
        const page = await session.listTools(cursor, options);
        if (!page.ok) return page;
        const { tools: items, nextCursor, rejected, freshness } = page.value;
        return ok({ items, nextCursor, rejected, freshness });
      },
    },
    limits,
  );
  if (!listed.ok) return listed;
  const { items: tools, rejected, cut, freshness } = listed.value;
  return ok({ tools, rejected, cut, freshness });
}
