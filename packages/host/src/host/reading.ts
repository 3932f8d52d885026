// What every read from a server for a model passes through: whether it is allowed, and how much of it a model can take.

import type { Part } from '../output/index.ts';
import type { Decision } from '../policy/index.ts';
import type { ToolResult } from '../protocol/index.ts';
import type { ReadPermit } from './read-permission.ts';
import type { ResourceReference } from './subscriptions.ts';

export interface ReadingPorts {
  /** Whether a resource may be read. */
  readonly mayRead: (reference: ResourceReference, signal: AbortSignal) => Promise<ReadPermit>;
  /** What of it a model can take. */
  readonly fit: (server: string, content: ToolResult['content']) => Promise<readonly Part[]>;
}

export type DeniedReading = ResourceReference & {
  readonly kind: 'denied';
  readonly reason: string;
  readonly decision: Decision;
};

/** Why a resource may not be read, if so. */
export async function deniedReading(
  { mayRead }: Pick<ReadingPorts, 'mayRead'>,
  { server, uri }: ResourceReference,
  signal: AbortSignal,
): Promise<DeniedReading | undefined> {
  const permit = await mayRead({ server, uri }, signal);
  if (permit.kind === 'allow') return undefined;
  const { reason, decision } = permit;
  return { kind: 'denied', server, uri, reason, decision };
}
