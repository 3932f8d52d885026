// Follows the pages of a list to the end, within bounds: for a server that never stops, repeats a cursor or sends too
// much, the result is the list so far and the reason for the cut.

import { err, ok, type Result } from '@plugboard/base';
import type { Freshness, Page, ProtocolFailure, RejectedItem } from '../protocol/index.ts';

export interface ListLimits {
  readonly maxPages: number;
  readonly maxItems: number;
  /** Characters of JSON over all items. */
  readonly maxSize: number;
}

const DEFAULT_LIST_LIMITS: ListLimits = {
  maxPages: 1000,
  maxItems: 10_000,
  maxSize: 32 * 1024 * 1024,
};

/** Further broken items of a list are not reported. */
const MAX_REJECTED = 100;

/** Why a listing ended before its last page. */
export type CutReason = 'repeated-cursor' | 'too-many-pages' | 'too-many-items' | 'too-large';

export interface Listing<Item> {
  readonly items: readonly Item[];
  readonly rejected: readonly RejectedItem[];
  readonly cut: CutReason | undefined;
  /** The shortest freshness of all pages. */
  readonly freshness: Freshness | undefined;
}

export interface Pages<Item> {
  page(cursor: string | undefined): Promise<Result<Page<Item>, ProtocolFailure>>;
  /** The unique name of an item. */
  nameOf(item: Item): string;
}

export async function listAll<Item>(
  pages: Pages<Item>,
  limits: ListLimits = DEFAULT_LIST_LIMITS,
): Promise<Result<Listing<Item>, ProtocolFailure>> {
  const collected = new ListCollector<Item>(limits, (item) => pages.nameOf(item));
  let cursor: string | undefined;
  for (;;) {
    const page = await pages.page(cursor);
    if (!page.ok) return err(page.error);
    collected.add(page.value);
    const cut = collected.cutAt(page.value.nextCursor);
    if (cut !== undefined || page.value.nextCursor === undefined) return ok(collected.listing(cut));
    cursor = page.value.nextCursor;
  }
}

class ListCollector<Item> {
  readonly #limits: ListLimits;
  readonly #nameOf: (item: Item) => string;
  readonly #items = new Map<string, Item>();
  readonly #rejected: RejectedItem[] = [];
  readonly #cursors = new Set<string>();
  #pages = 0;
  #size = 0;
  #isFull = false;
  #freshness: Freshness | undefined;

  constructor(limits: ListLimits, nameOf: (item: Item) => string) {
    this.#limits = limits;
    this.#nameOf = nameOf;
  }

  add({ items, rejected, freshness }: Page<Item>): void {
    this.#freshness = this.#pages === 0 ? freshness : shorter(this.#freshness, freshness);
    this.#pages += 1;
    for (const item of rejected) this.#reject(item);
    for (const item of items) {
      if (this.#items.size >= this.#limits.maxItems) this.#isFull = true;
      if (this.#isFull) return;
      this.#take(item);
    }
  }

  cutAt(nextCursor: string | undefined): CutReason | undefined {
    if (this.#size > this.#limits.maxSize) return 'too-large';
    if (this.#isFull) return 'too-many-items';
    if (nextCursor === undefined) return undefined;
    if (this.#items.size >= this.#limits.maxItems) return 'too-many-items';
    if (this.#cursors.has(nextCursor)) return 'repeated-cursor';
    this.#cursors.add(nextCursor);
    return this.#pages >= this.#limits.maxPages ? 'too-many-pages' : undefined;
  }

  listing(cut: CutReason | undefined): Listing<Item> {
    return {
      items: [...this.#items.values()],
      rejected: this.#rejected,
      cut,
      // An incomplete list is not cached.
      freshness: cut === undefined ? this.#freshness : undefined,
    };
  }

  #take(item: Item): void {
    const name = this.#nameOf(item);
    if (this.#items.has(name)) {
      this.#reject({ name, reason: 'is listed twice' });
      return;
    }
    this.#size += JSON.stringify(item).length;
    if (this.#size <= this.#limits.maxSize) this.#items.set(name, item);
    else this.#isFull = true;
  }

  #reject(item: RejectedItem): void {
    if (this.#rejected.length < MAX_REJECTED) this.#rejected.push(item);
  }
}

/** The more restrictive of two policies. */
function shorter(a: Freshness | undefined, b: Freshness | undefined): Freshness | undefined {
  if (a === undefined || b === undefined) return undefined;
  return {
    ttlMs: Math.min(a.ttlMs, b.ttlMs),
    scope: a.scope === 'public' && b.scope === 'public' ? 'public' : 'private',
  };
}
