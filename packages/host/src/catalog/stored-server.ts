// What is known about one server from earlier runs, and its format on disk. A file in another format, or a broken one,
// is ignored: its content can be learned again.

import { type Instant, isObject, parseJson } from '@plugboard/base';
import type { EraVerdict } from '../connection/index.ts';
import type { ToolDefinition } from '../protocol/index.ts';

export interface StoredList {
  /** When the server listed them. */
  readonly at: Instant;
  readonly tools: readonly ToolDefinition[];
  readonly instructions: string | undefined;
}

export interface StoredServer {
  readonly list: StoredList | undefined;
  readonly verdict: EraVerdict | undefined;
  /** The server requests the roots as soon as it is connected. */
  readonly asksRoots?: true;
}

export const NOTHING_STORED: StoredServer = { list: undefined, verdict: undefined };
export const MAX_STORED_BYTES = 4 * 1024 * 1024;

const FORMAT = 1;
/** Deeper than any honest schema. */
const MAX_DEPTH = 200;

export function formatStored(stored: StoredServer): string {
  return `${JSON.stringify({ format: FORMAT, ...stored })}\n`;
}

export function parseStored(text: string): StoredServer {
  const parsed = parseJson(text, { maxLength: MAX_STORED_BYTES, maxDepth: MAX_DEPTH });
  if (!parsed.ok || !isObject(parsed.value)) return NOTHING_STORED;
  const { format, list, verdict, asksRoots } = parsed.value;
  if (format !== FORMAT) return NOTHING_STORED;
  return {
    list: readList(list),
    verdict: readVerdict(verdict),
    ...(asksRoots === true ? { asksRoots } : {}),
  };
}

function readList(value: unknown): StoredList | undefined {
  if (!isObject(value)) return undefined;
  const { at, tools, instructions } = value;
  if (typeof at !== 'number' || !Array.isArray(tools) || !tools.every(isDefinition)) {
    return undefined;
  }
  return { at, tools, instructions: typeof instructions === 'string' ? instructions : undefined };
}

/** A short check: definitions are fully checked before they are stored. */
function isDefinition(value: unknown): value is ToolDefinition {
  return isObject(value) && typeof value['name'] === 'string' && isObject(value['inputSchema']);
}

function readVerdict(value: unknown): EraVerdict | undefined {
  if (!isObject(value)) return undefined;
  const { era, at } = value;
  if ((era !== 'legacy' && era !== 'modern') || typeof at !== 'number') return undefined;
  return { era, at };
}
