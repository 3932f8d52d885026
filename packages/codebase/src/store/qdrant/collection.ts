// One collection of a Qdrant cluster: created if it is missing, read in pages, written in batches. The caller interprets the
// points.

import { createHash } from 'node:crypto';
import { isObject } from '@plugboard/base';
import { DENSE, type Point, type QdrantFilter, WORDS } from './points.ts';
import type { QdrantApi } from './qdrant-api.ts';

export interface CollectionShape {
  /** The prefix of its name. */
  readonly prefix: string;
  readonly embedder: { readonly id: string; readonly dimensions: number } | undefined;
  readonly shards: number | undefined;
  readonly replicas: number | undefined;
}

const BATCH_SIZE = 256;
const PAGE_SIZE = 1000;
const KEYWORDS = ['root', 'kind', 'path', 'language', 'signature', 'version'];
const CONFLICT = 409;
const NOT_FOUND = 404;

export class Collection {
  readonly name: string;
  readonly #api: QdrantApi;
  readonly #shape: CollectionShape;

  /** A collection holds the vectors of one embedder, which is part of its name. */
  constructor(api: QdrantApi, shape: CollectionShape) {
    this.#api = api;
    this.#shape = shape;
    const { prefix, embedder } = shape;
    const ending = embedder === undefined ? 'words' : shortHash(embedder.id);
    this.name = `${prefix}-${ending}`;
  }

  async ensure(): Promise<void> {
    const found = await this.#api.ask({ method: 'GET', path: this.#path() });
    if (found.kind === 'done') return;
    if (found.status !== NOT_FOUND) {
      await this.#api.result({ method: 'GET', path: this.#path() });
      return;
    }
    const { embedder, shards, replicas } = this.#shape;
    const made = await this.#api.ask({
      method: 'PUT',
      path: this.#path(),
      body: {
        vectors:
          embedder === undefined
            ? {}
            : { [DENSE]: { size: embedder.dimensions, distance: 'Cosine' } },
        sparse_vectors: { [WORDS]: { modifier: 'idf' } },
        ...(shards !== undefined && { shard_number: shards }),
        ...(replicas !== undefined && { replication_factor: replicas }),
      },
    });
    // Another process may just have created it.
    if (made.kind === 'refused' && made.status !== CONFLICT && !/exists/.test(made.message)) {
      await this.#api.result({ method: 'GET', path: this.#path() });
    }
    for (const field_name of KEYWORDS) {
      const body = { field_name, field_schema: 'keyword' };
      await this.#api.result({ method: 'PUT', path: this.#path('/index?wait=true'), body });
    }
  }

  async upsert(points: readonly Point[]): Promise<void> {
    for (let from = 0; from < points.length; from += BATCH_SIZE) {
      const body = { points: points.slice(from, from + BATCH_SIZE) };
      await this.#api.result({ method: 'PUT', path: this.#path('/points?wait=true'), body });
    }
  }

  async deleteWhere(filter: QdrantFilter): Promise<void> {
    await this.#post('/points/delete?wait=true', { filter });
  }

  async setPayload(id: string, payload: object): Promise<void> {
    await this.#post('/points/payload?wait=true', { payload, points: [id] });
  }

  async setDense(
    points: readonly { readonly id: string; readonly vector: readonly number[] }[],
  ): Promise<void> {
    for (let from = 0; from < points.length; from += BATCH_SIZE) {
      const some = points.slice(from, from + BATCH_SIZE);
      const body = { points: some.map(({ id, vector }) => ({ id, vector: { [DENSE]: vector } })) };
      await this.#api.result({
        method: 'PUT',
        path: this.#path('/points/vectors?wait=true'),
        body,
      });
    }
  }

  async count(filter: QdrantFilter): Promise<number> {
    const result = await this.#post('/points/count', { filter, exact: true });
    return isObject(result) ? Number(result['count']) : 0;
  }

  /** All points that match a filter, page by page. */
  async *scroll(
    filter: QdrantFilter,
    fields: { readonly payload: readonly string[]; readonly vectors?: readonly string[] },
  ): AsyncGenerator<unknown, void, undefined> {
    let offset: unknown;
    do {
      const result = await this.#post('/points/scroll', {
        filter,
        limit: PAGE_SIZE,
        with_payload: fields.payload,
        with_vector: fields.vectors ?? false,
        ...(offset !== undefined && { offset }),
      });
      if (!isObject(result)) return;
      yield* Array.isArray(result['points']) ? (result['points'] as readonly unknown[]) : [];
      offset = result['next_page_offset'] ?? undefined;
    } while (offset !== undefined);
  }

  async query(
    query: object,
  ): Promise<readonly { readonly point: unknown; readonly score: number }[]> {
    const result = await this.#post('/points/query', { ...query, with_payload: true });
    const points = isObject(result) ? result['points'] : undefined;
    if (!Array.isArray(points)) return [];
    return points.map((point: unknown) => ({
      point,
      score: isObject(point) ? Number(point['score']) : 0,
    }));
  }

  #post(path: string, body: object): Promise<unknown> {
    return this.#api.result({ method: 'POST', path: this.#path(path), body });
  }

  #path(rest = ''): string {
    return `/collections/${encodeURIComponent(this.name)}${rest}`;
  }
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
