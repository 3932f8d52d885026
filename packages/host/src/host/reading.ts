// The two steps of every read for a model: check the permission, and fit the content into the model's budget.

import type { Output, Part } from '../output/index.ts';
import type { Decision } from '../policy/index.ts';
import type { ToolResult } from '../protocol/index.ts';
import type { ReadPermission } from './read-permission.ts';
import type { ServerQueries } from './server-queries.ts';
import type { ResourceReference } from './subscriptions.ts';

export interface ReadingParts {
  readonly queries: ServerQueries;
  readonly permission: Pick<ReadPermission, 'permit'>;
  readonly output: Pick<Output, 'fitContent'>;
}

export type DeniedReading = ResourceReference & {
  readonly kind: 'denied';
  readonly reason: string;
  readonly decision: Decision;
};

/** The denial of a read; `undefined` if the resource may be read. */
export async function deniedReading(
  { permission }: Pick<ReadingParts, 'permission'>,
  { server, uri }: ResourceReference,
  signal: AbortSignal,
): Promise<DeniedReading | undefined> {
  const permit = await permission.permit({ server, uri }, signal);
  if (permit.kind === 'allow') return undefined;
  const { reason, decision } = permit;
  return { kind: 'denied', server, uri, reason, decision };
}

/** Fits content into the budget of its server's results. */
export function fitContent(
  { queries, output }: Omit<ReadingParts, 'permission'>,
  server: string,
  content: ToolResult['content'],
): Promise<readonly Part[]> {
  return output.fitContent(content, queries.servers.get(server)?.output);
}
