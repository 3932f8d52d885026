// How a server's connection is maintained between calls, according to its entry.

import { hasEffect, type ServerEntry, transportOf } from '../config/index.ts';
import type { Upkeep } from './connection.ts';
import { DEFAULT_BACKOFF } from './reconnection.ts';

/** The defaults for all servers of a host. */
export interface UpkeepSettings {
  /** Local servers with the lifecycle `lazy` stop after this long without use. */
  readonly idleStopMs: number;
  /** Off by default. An entry switches it off for its server with `"heartbeat": "off"`. */
  readonly heartbeatMs?: number | undefined;
}

export const DEFAULT_UPKEEP: UpkeepSettings = { idleStopMs: 10 * 60_000 };

/** A ping that is not answered within this time counts as missed. */
const MAX_BEAT_TIMEOUT_MS = 10_000;

export function upkeepOf(
  entry: Pick<ServerEntry, 'kind' | 'lifecycle' | 'reconnect' | 'idleTimeout' | 'heartbeat'>,
  settings: UpkeepSettings,
): Upkeep {
  const lifecycle = entry.lifecycle ?? 'lazy';
  const { maxAttempts, delayMs, maxDelayMs } = entry.reconnect ?? {};
  const idleStopMs = entry.idleTimeout ?? settings.idleStopMs;
  const beat = entry.heartbeat ?? settings.heartbeatMs;
  return {
    reconnection: {
      isAutomatic: !transportOf(entry.kind).isLocal || lifecycle === 'keep-alive',
      backoff: {
        ...DEFAULT_BACKOFF,
        ...(maxAttempts === undefined ? {} : { maxAttempts }),
        ...(delayMs === undefined ? {} : { firstMs: delayMs }),
        ...(maxDelayMs === undefined ? {} : { maxMs: maxDelayMs }),
      },
    },
    idleStopMs:
      hasEffect('idleTimeout', entry.kind) && lifecycle === 'lazy' ? idleStopMs : undefined,
    heartbeat:
      typeof beat === 'number'
        ? { everyMs: beat, timeoutMs: Math.min(beat, MAX_BEAT_TIMEOUT_MS) }
        : undefined,
  };
}
