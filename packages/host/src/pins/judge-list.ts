// Which of the things that a server lists may be shown and used, given what was accepted of it before. The
// first list of a server is its baseline; after that, whatever is not exactly what was accepted is kept back,
// alone. Pure: what the scanner says comes as a function, and is asked only of what was not accepted.

import type { ScanFinding } from '../policy/index.ts';
import type { PinnedDefinition } from './definition-hash.ts';
import type { NewPin, PinKind, PinnedServer } from './pinned-server.ts';
import type { Quarantined, QuarantineReason } from './quarantine.ts';

/**
 * What becomes of a server that is listed for the first time. `tofu`: it is accepted as it is, except for
 * what looks like an attack. `strict`: all of it waits for the user to accept it. `off`: nothing is ever kept
 * back.
 */
export type PinMode = 'tofu' | 'strict' | 'off';

export interface ListedItem {
  readonly kind: PinKind;
  readonly name: string;
  readonly hash: string;
  readonly definition: PinnedDefinition;
}

export interface JudgedList {
  readonly quarantined: readonly Quarantined[];
  /** What is accepted with this list. */
  readonly accepted: readonly NewPin[];
  /** The kinds of which this list is the baseline. */
  readonly baselines: readonly PinKind[];
}

export interface Listing {
  readonly server: string;
  /** The kinds that were listed, even if there was nothing of them. */
  readonly kinds: readonly PinKind[];
  readonly items: readonly ListedItem[];
}

export interface SealedListing extends Listing {
  /** Of the list as the server wrote it. */
  readonly seal: string;
}

export interface Judge {
  readonly mode: Exclude<PinMode, 'off'>;
  readonly scan: (item: ListedItem) => readonly ScanFinding[];
}

/** Whether everything in a list is what was accepted. */
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
  let gone: ReadonlyMap<string, string> | undefined;
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
    gone ??= goneNames(listing, known);
    const from = gone.get(`${kind} ${hash}`);
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

/** Names that something was accepted under and that are gone, by what it was. */
function goneNames({ items }: Listing, { pins }: PinnedServer): ReadonlyMap<string, string> {
  const listed = new Set(items.map(({ kind, name }) => `${kind} ${name}`));
  const gone = new Map<string, string>();
  for (const kind of ['tool', 'prompt'] as const) {
    for (const [name, { hash }] of pins[kind]) {
      if (!listed.has(`${kind} ${name}`)) gone.set(`${kind} ${hash}`, name);
    }
  }
  return gone;
}

/** An empty list is none: a server that has nothing yet has not been used yet. */
function newBaselines({ kinds, items }: Listing, { baselines }: PinnedServer): readonly PinKind[] {
  const isUsed = items.length > 0;
  return kinds.filter(
    (kind) =>
      !baselines.has(kind) &&
      (kind === 'instructions' ? isUsed : items.some((item) => item.kind === kind)),
  );
}
