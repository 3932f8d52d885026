// Declares in a request that its sender can follow tasks. Support is declared per request, and only in the modern era: a
// request without an envelope gets no task.

import { isObject } from '@plugboard/base';
import { CLIENT_CAPABILITIES_META_KEY, PROTOCOL_VERSION_META_KEY } from '../modern/meta-keys.ts';

const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** The `_meta` of a modern request. */
export type Envelope = Readonly<Record<string, unknown>>;

/** The envelope with support declared and without the members that belong to one request only. */
export function taskEnvelope(meta: unknown): Envelope | undefined {
  if (!isObject(meta) || typeof meta[PROTOCOL_VERSION_META_KEY] !== 'string') return undefined;
  const { progressToken: _, ...envelope } = meta;
  const capabilities = objectOf(meta[CLIENT_CAPABILITIES_META_KEY]);
  const extensions = { ...objectOf(capabilities['extensions']), [TASKS_EXTENSION]: {} };
  return { ...envelope, [CLIENT_CAPABILITIES_META_KEY]: { ...capabilities, extensions } };
}

function objectOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}
