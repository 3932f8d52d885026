// Opens the store that the settings name. The embedded store always opens, if necessary in memory; a cluster that does not
// answer is reported, and never silently replaced.

import { join } from 'node:path';
import {
  type Clock,
  CodedError,
  err,
  messageOf,
  ok,
  type Result,
  systemClock,
} from '@plugboard/base';
import {
  ensureOwn,
  environmentVariable,
  loadSqlite,
  requestJson,
  type RequestJson,
} from '../platform/index.ts';
import { EmbeddedStore } from './embedded/embedded-store.ts';
import { LOCK_FILE } from './embedded/open-index.ts';
import { WriterLock } from './embedded/writer-lock.ts';
import { Collection } from './qdrant/collection.ts';
import { QdrantApi } from './qdrant/qdrant-api.ts';
import { QdrantStore } from './qdrant/qdrant-store.ts';
import type { Store } from './port/store.ts';
import { type QdrantSettings, type StoreSettings, urlsOf } from './store-settings.ts';

export interface OpenStoreOptions {
  /** The folder for the index of this tree, outside the tree; see `indexFolder`. */
  readonly folder: string;
  /** Identifies this tree among all that share a cluster. */
  readonly rootId: string;
  readonly embedder?: { readonly id: string; readonly dimensions: number } | undefined;
  readonly clock?: Clock;
  readonly environment?: (name: string) => string | undefined;
  readonly request?: RequestJson;
}

const COLLECTION = 'plugboard-code';

/** The store, or a sentence for people. */
export async function openStore(
  settings: StoreSettings,
  options: OpenStoreOptions,
): Promise<Result<Store, string>> {
  switch (settings.kind) {
    case 'embedded':
      return ok(await openEmbedded(options));
    case 'qdrant':
      return openQdrant(settings, options);
    default:
      return settings satisfies never;
  }
}

async function openEmbedded({ folder, clock = systemClock }: OpenStoreOptions): Promise<Store> {
  const sqlite = await loadSqlite();
  return EmbeddedStore.open({ folder, open: sqlite.ok ? sqlite.value : sqlite.error, clock });
}

async function openQdrant(
  settings: QdrantSettings,
  options: OpenStoreOptions,
): Promise<Result<Store, string>> {
  const { clock = systemClock, environment = environmentVariable, request = requestJson } = options;
  const { apiKeyVariable, collection: prefix = COLLECTION, shards, replicas } = settings;
  if (apiKeyVariable !== undefined && environment(apiKeyVariable) === undefined) {
    return err(
      `store.apiKeyVariable names ${apiKeyVariable}, which is not set; fix: set it to the key`,
    );
  }
  const apiKey = (): string | undefined =>
    apiKeyVariable === undefined ? undefined : environment(apiKeyVariable);
  const api = new QdrantApi({ urls: urlsOf(settings), apiKey, request, clock });
  const { embedder, rootId, folder } = options;
  const collection = new Collection(api, { prefix, embedder, shards, replicas });
  const { lock, notes } = await lockIn(folder);
  try {
    const embedderId = embedder?.id;
    return ok(await QdrantStore.open({ collection, embedderId, rootId, clock, lock, notes }));
  } catch (thrown) {
    lock?.[Symbol.dispose]();
    if (!(thrown instanceof CodedError)) throw thrown;
    return err(messageOf(thrown));
  }
}

/** The lock lets one of several processes write for the tree; without it all of them write the same. */
async function lockIn(
  folder: string,
): Promise<{ readonly lock: WriterLock | undefined; readonly notes: readonly string[] }> {
  const sqlite = await loadSqlite();
  if (!sqlite.ok) return { lock: undefined, notes: [sqlite.error] };
  try {
    await ensureOwn(folder);
    return { lock: new WriterLock(sqlite.value, join(folder, LOCK_FILE)), notes: [] };
  } catch (thrown) {
    return { lock: undefined, notes: [`no lock in ${folder}: ${messageOf(thrown)}`] };
  }
}
