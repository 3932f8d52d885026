// What every read for a model uses: the permission, and the fitting of the content into the model's budget.

import type { Output, Part } from '../output/index.ts';
import type { ToolResult } from '../protocol/index.ts';
import type { CallPermission } from './call-permission.ts';
import type { ServerQueries } from './server-queries.ts';

export interface ReadingOptions {
  readonly signal?: AbortSignal;
}

export interface ReadingParts {
  readonly queries: ServerQueries;
  readonly permission: Pick<CallPermission, 'permitRead'>;
  readonly output: Pick<Output, 'fitContent'>;
}

/** Fits content into the budget of its server's results. */
export function fitContent(
  { queries, output }: Omit<ReadingParts, 'permission'>,
  server: string,
  content: ToolResult['content'],
): Promise<readonly Part[]> {
  return output.fitContent(content, queries.servers.get(server)?.output);
}
