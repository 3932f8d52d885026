// Parses the setting that chooses the store of an index, and describes what is wrong with an invalid one. Pure.

import { err, isObject, isUrl, ok, type Result } from '@plugboard/base';

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

const FIELDS = {
  embedded: [],
  qdrant: ['url', 'apiKeyVariable', 'collection', 'shards', 'replicas'],
} as const satisfies Readonly<Record<StoreSettings['kind'], readonly string[]>>;

const KINDS = Object.keys(FIELDS).map((kind) => `"${kind}"`);
const MOST_SHARDS = 1024;
const MOST_REPLICAS = 64;
const MOST_URLS = 32;

/** The settings, or a sentence on each mistake. `undefined` means the embedded store. */
export function parseStoreSettings(value: unknown): Result<StoreSettings, readonly string[]> {
  if (value === undefined) return ok({ kind: 'embedded' });
  const fields = typeof value === 'string' ? { kind: value } : value;
  if (!isObject(fields))
    return err([`store must be an object with a "kind" (${KINDS.join(', ')})`]);
  const { kind } = fields;
  if (typeof kind !== 'string' || !isKind(kind)) {
    return err([`store.kind must be one of ${KINDS.join(', ')}`]);
  }
  const problems = [
    ...unknownFields(kind, fields),
    ...(kind === 'qdrant' ? qdrantProblems(fields) : []),
  ];
  // Each field was checked above.
  return problems.length > 0 ? err(problems) : ok({ ...fields } as unknown as StoreSettings);
}

export function urlsOf({ url }: QdrantSettings): readonly string[] {
  return (typeof url === 'string' ? [url] : url).map((one) => one.replace(/\/+$/, ''));
}

function isKind(kind: string): kind is StoreSettings['kind'] {
  return Object.hasOwn(FIELDS, kind);
}

function unknownFields(kind: StoreSettings['kind'], fields: Record<string, unknown>): string[] {
  const known: readonly string[] = FIELDS[kind];
  const allowed =
    known.length === 0 ? `"${kind}" has no other fields` : `"${kind}" has ${known.join(', ')}`;
  return Object.keys(fields)
    .filter((name) => name !== 'kind' && !known.includes(name))
    .map((name) => `store.${name.slice(0, 40)} is unknown; ${allowed}`);
}

function qdrantProblems(fields: Record<string, unknown>): string[] {
  const { url, apiKeyVariable, collection, shards, replicas } = fields;
  const urls: readonly unknown[] = Array.isArray(url) ? url : [url];
  const isCount = urls.length > 0 && urls.length <= MOST_URLS;
  return [
    ...(isCount ? [] : [`store.url must have 1 to ${MOST_URLS} addresses`]),
    ...new Set(urls.flatMap((one) => urlProblems(one, apiKeyVariable !== undefined))),
    ...variableProblems(apiKeyVariable),
    ...collectionProblems(collection),
    ...countProblems('shards', shards, MOST_SHARDS),
    ...countProblems('replicas', replicas, MOST_REPLICAS),
  ];
}

function urlProblems(value: unknown, hasKey: boolean): string[] {
  const url = typeof value === 'string' && isUrl(value) ? new URL(value) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    return ['store.url must be an address that begins with https:// or http://'];
  }
  if (url.username !== '' || url.password !== '') {
    return ['store.url must not hold a password; fix: name a variable in apiKeyVariable'];
  }
  if (url.search !== '' || url.hash !== '') {
    return ['store.url must not have a part after "?" or "#"'];
  }
  if (!hasKey || url.protocol === 'https:' || isLoopback(url.hostname)) return [];
  return [
    'store.url must begin with https:// when apiKeyVariable is set, or anyone on the way can read the key',
  ];
}

function variableProblems(variable: unknown): string[] {
  if (variable === undefined) return [];
  const isName = typeof variable === 'string' && /^[A-Za-z_]\w*$/.test(variable);
  return isName ? [] : ['store.apiKeyVariable must be the name of a variable, not the key itself'];
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

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}
