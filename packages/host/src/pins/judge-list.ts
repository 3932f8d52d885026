// Decides which listed items of a server may be shown and used, from the items that were accepted before. The
// first list of a server is its baseline; after that, every item that is not exactly as accepted is kept back, and
// no other item. Pure: the scanner is a parameter, and is called only for items that were not accepted.

import type { PinSetting } from '../config/index.ts';
import type { ScanFinding } from '../policy/index.ts';
import type { PinnedDefinition } from './definition-hash.ts';
import { type NewPin, PIN_KINDS, type PinKind, type PinnedServer } from './pinned-server.ts';
import type { Quarantined, QuarantineReason } from './quarantine.ts';

/**
 * How a server that is listed for the first time is treated. `tofu`: everything is accepted, except what looks
 * like an attack. `strict`: everything waits until the user accepts it. `off`: nothing is ever kept back.
 */
export type PinMode = PinSetting['mode'];

export interface ListedItem {
  readonly kind: PinKind;
  readonly name: string;
  readonly hash: string;
  readonly definition: PinnedDefinition;
}

export interface JudgedList {
  readonly quarantined: readonly Quarantined[];
  /** The items that this list adds to the accepted ones. */
  readonly accepted: readonly NewPin[];
  /** The kinds for which this list is the baseline. */
  readonly baselines: readonly PinKind[];
}

export interface Listing {
  readonly server: string;
  readonly items: readonly ListedItem[];
}

export interface SealedListing extends Listing {
  /** A hash of the list as the server wrote it. */
  readonly seal: string;
}

export interface Judge {
  readonly mode: Exclude<PinMode, 'off'>;
  readonly scan: (item: ListedItem) => readonly ScanFinding[];
}

/** Whether every item of a list is accepted. */
export function areAllPinned(items: readonly ListedItem[], { pins }: PinnedServer): boolean {
  return items.every(({ kind, name, hash }) => pins[kind].get(name)?.hash === hash);
}

export function judgeList(
  listing: Listing,
  known: PinnedServer | 'unreadable',
  { mode, scan }: Judge,
): JudgedList {
  const { server, items } = listing;
  const quarantined: Quarantined[] = [];
  const accepted: NewPin[] = [];
  let removed: ReadonlyMap<string, string> | undefined;
  const keep = (item: ListedItem, reason: QuarantineReason): void => {
    quarantined.push({ ...item, server, reason, findings: scan(item) });
  };
  for (const item of items) {
    const { kind, name, hash } = item;
    if (known === 'unreadable') {
      keep(item, { kind: 'unreadable-pins' });
      continue;
    }
    const pin = known.pins[kind].get(name);
    if (pin?.hash === hash) continue;
    if (pin !== undefined) {
      keep(item, { kind: 'changed', acceptedAt: pin.at });
      continue;
    }
    removed ??= removedNames(listing, known);
    const from = kind === 'tool' ? removed.get(hash) : undefined;
    if (from !== undefined) keep(item, { kind: 'renamed', from });
    else if (isDanger(scan(item))) keep(item, { kind: 'danger' });
    else if (mode === 'strict') keep(item, { kind: 'unreviewed' });
    else if (known.baselines.has(kind)) keep(item, { kind: 'new' });
    else accepted.push({ kind, name, hash });
  }
  const baselines = known === 'unreadable' ? [] : newBaselines(listing, known);
  return { quarantined, accepted, baselines };
}

function isDanger(findings: readonly ScanFinding[]): boolean {
  return findings.some(({ severity }) => severity === 'danger');
}

/** The names of accepted tools that are no longer listed, by hash. */
function removedNames({ items }: Listing, { pins }: PinnedServer): ReadonlyMap<string, string> {
  const listed = new Set(items.flatMap(({ kind, name }) => (kind === 'tool' ? [name] : [])));
  const removed = new Map<string, string>();
  for (const [name, { hash }] of pins.tool) {
    if (!listed.has(name)) removed.set(hash, name);
  }
  return removed;
}

/** An empty list is not a baseline: a server without items has not been used yet. */
function newBaselines({ items }: Listing, { baselines }: PinnedServer): readonly PinKind[] {
  return PIN_KINDS.filter(
    (kind) =>
      !baselines.has(kind) && items.some((item) => kind === 'instructions' || item.kind === kind),
  );
}
