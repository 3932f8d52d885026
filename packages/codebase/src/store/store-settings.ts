// Parses the setting that chooses the store of an index, and describes what is wrong with an invalid one. Pure.

import { endpointProblems, parseKind, type Result } from '@plugboard/base';

export type StoreSettings = { readonly kind: 'embedded' } | QdrantSettings;

/** A Qdrant server, or a cluster of them. */
export interface QdrantSettings {
  readonly kind: 'qdrant';
  /** The address of one server, or of several of one cluster: if one does not answer, the next is tried. */
  readonly url: string | readonly string[];
  /** The environment variable that holds the key. Without it no key is sent. */
  readonly apiKeyVariable?: string;
  /** The prefix of the names of collections. */
  readonly collection?: string;
  /** For a new collection: the number of its shards, and how many servers hold each. */
  readonly shards?: number;
  readonly replicas?: number;
}

const MOST_SHARDS = 1024;
const MOST_REPLICAS = 64;
const MOST_URLS = 32;

/** The settings, or a sentence on each mistake. `undefined` means the embedded store. */
export function parseStoreSettings(
  value: unknown = 'embedded',
): Result<StoreSettings, readonly string[]> {
  return parseKind<StoreSettings>('store', value, {
    embedded: { fields: [] },
    qdrant: {
      fields: ['url', 'apiKeyVariable', 'collection', 'shards', 'replicas'],
      problems: qdrantProblems,
    },
  });
}

export function urlsOf({ url }: QdrantSettings): readonly string[] {
  return (typeof url === 'string' ? [url] : url).map((one) => one.replace(/\/+$/, ''));
}

function qdrantProblems(fields: Record<string, unknown>): string[] {
  const { url, apiKeyVariable, collection, shards, replicas } = fields;
  const urls: readonly unknown[] = Array.isArray(url) ? url : [url];
  const isCount = urls.length > 0 && urls.length <= MOST_URLS;
  return [
    ...(isCount ? [] : [`store.url must have 1 to ${MOST_URLS} addresses`]),
    ...endpointProblems('store', { urls, keyVariable: apiKeyVariable }),
    ...collectionProblems(collection),
    ...countProblems('shards', shards, MOST_SHARDS),
    ...countProblems('replicas', replicas, MOST_REPLICAS),
  ];
}

function collectionProblems(collection: unknown): string[] {
  if (collection === undefined) return [];
  const isName = typeof collection === 'string' && /^[A-Za-z0-9_-]{1,100}$/.test(collection);
  return isName ? [] : ['store.collection must be 1 to 100 letters, digits, "-" and "_"'];
}

function countProblems(name: string, value: unknown, most: number): string[] {
  if (value === undefined) return [];
  const isCount = Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most;
  return isCount ? [] : [`store.${name} must be a whole number from 1 to ${most}`];
}
