// Stores the latest answer of each connector on disk, with its date, so that its servers are known without a
// request, even offline. A stored answer is still untrusted text, and is checked like an answer from the
// network.

import { hash } from 'node:crypto';
import { join } from 'node:path';
import { type Instant, isObject, type Json, parseJson } from '@plugboard/base';
import {
  ensureFolder,
  type HostEnvironment,
  readTextFile,
  sweepFolder,
  writeFileAtomically,
} from '../platform/index.ts';
import type { ConnectorSettings } from './connector-settings.ts';
import { readList, type ReadList } from './read-list.ts';

/** The list of a connector, with its date. */
export interface ConnectorList extends ReadList {
  readonly connector: string;
  readonly at: Instant;
}

/** An answer of 1 MiB may become longer, since numbers are stored in full. */
const MAX_STORED_BYTES = 8 * 1024 * 1024;
const MAX_STORED_DEPTH = 40;
/** The latest instant that a `Date` can represent. */
const LAST_DATE: Instant = 8.64e15;
const MAX_FILES = 100;
const FORGOTTEN_AFTER_MS = 90 * 24 * 60 * 60_000;

type Cache = Pick<HostEnvironment, 'paths'>;

/** The latest stored list of a connector; `undefined` if there is none or it cannot be read. */
export async function readConnectorCache(
  settings: ConnectorSettings,
  environment: Cache,
): Promise<ConnectorList | undefined> {
  const read = await readTextFile(connectorFile(settings, environment), {
    maxBytes: MAX_STORED_BYTES,
  });
  if (!read.ok) return undefined;
  const limits = { maxLength: MAX_STORED_BYTES, maxDepth: MAX_STORED_DEPTH };
  const parsed = parseJson(read.value, limits);
  if (!parsed.ok || !isObject(parsed.value)) return undefined;
  const { at, answer } = parsed.value;
  if (typeof at !== 'number' || !(at >= 0 && at <= LAST_DATE)) return undefined;
  const list = readList(answer, settings);
  return list === undefined ? undefined : { connector: settings.name, at, ...list };
}

/** Rejects with `write-failed` if the file cannot be written. */
export async function storeAnswer(
  settings: ConnectorSettings,
  environment: Cache,
  { answer, at }: { readonly answer: Json; readonly at: Instant },
): Promise<void> {
  const text = JSON.stringify({ at, answer });
  if (Buffer.byteLength(text) > MAX_STORED_BYTES) return;
  const folder = folderOf(environment);
  await ensureFolder(folder);
  // Answers may hold headers with tokens.
  await writeFileAtomically(connectorFile(settings, environment), text, { mode: 0o600 });
  await sweepFolder(folder, { now: at, keptMs: FORGOTTEN_AFTER_MS, maxFiles: MAX_FILES });
}

function folderOf({ paths }: Cache): string {
  return join(paths.cache, 'connectors');
}

/** Named by a hash, since an address is not a valid file name and may contain secrets. */
export function connectorFile({ url, name }: ConnectorSettings, environment: Cache): string {
  const digest = hash('sha256', JSON.stringify([url, name]), 'hex');
  return join(folderOf(environment), `${digest.slice(0, 40)}.json`);
}
