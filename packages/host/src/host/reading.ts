// What every read from a server for a model passes through: whether it is allowed, and how much of it a model can take.

import type { Output, Part } from '../output/index.ts';
import type { Decision } from '../policy/index.ts';
import type { ToolResult } from '../protocol/index.ts';
import type { ReadPermission } from './read-permission.ts';
import type { ServerQueries } from './server-queries.ts';
import type { ResourceReference } from './subscriptions.ts';

export interface ReadingParts {
  readonly asking: ServerQueries;
  readonly permission: Pick<ReadPermission, 'permit'>;
  readonly output: Pick<Output, 'fitContent'>;
}

export type DeniedReading = ResourceReference & {
  readonly kind: 'denied';
  readonly reason: string;
  readonly decision: Decision;
};

/** Why a resource may not be read, if so. */
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

/** What of it a model can take. */
export function fitContent(
  { asking, output }: Omit<ReadingParts, 'permission'>,
  server: string,
  content: ToolResult['content'],
): Promise<readonly Part[]> {
  return output.fitContent(content, asking.servers.get(server)?.output);
}
