// Looks up one tool in a server's current list, page by page, up to a limit.

import type { ToolDefinition } from './neutral/model.ts';
import type { RequestOptions, Session } from './neutral/session.ts';

const MAX_PAGES = 100;

/** Returns `undefined` if the tool is not listed or the list cannot be read. */
export async function findTool(
  session: Pick<Session, 'listTools'>,
  name: string,
  options: RequestOptions,
): Promise<ToolDefinition | undefined> {
  let cursor: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page = await session.listTools(cursor, options);
    if (!page.ok) return undefined;
    const found = page.value.items.find((tool) => tool.name === name);
    cursor = page.value.nextCursor;
    if (found !== undefined || cursor === undefined) return found;
  }
  return undefined;
}
