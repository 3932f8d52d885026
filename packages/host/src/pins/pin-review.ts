// Reviews a list that is not entirely accepted: scans it, judges it and stores the newly accepted items. Also stores
// what the user accepts later.

import type { Result } from '@plugboard/base';
import { type ScanFinding, scanServer, scanText } from '../policy/index.ts';
import { definitionChanges, type DefinitionChange } from './definition-diff.ts';
import type { PinnedDefinition } from './definition-hash.ts';
import {
  areAllPinned,
  type JudgedList,
  judgeList,
  type ListedItem,
  type SealedListing,
} from './judge-list.ts';
import { changePins, type PinEdit } from './pin-edits.ts';
import type { PinNeighbours } from './pin-neighbours.ts';
import type { PinProblem } from './pin-store.ts';
import type { PinSubject } from './pin-subject.ts';
import { nothingPinned, PIN_KINDS, type PinnedServer, withPins } from './pinned-server.ts';
import type { Quarantined } from './quarantine.ts';
import type { ServerPinsPorts } from './server-pins.ts';

interface ReviewPorts extends ServerPinsPorts {
  readonly neighbours: PinNeighbours;
}

export interface PinReview {
  readonly pins: PinnedServer | 'unreadable';
  readonly quarantined: readonly Quarantined[];
}

export async function reviewList(
  subject: PinSubject,
  listing: SealedListing,
  ports: ReviewPorts,
): Promise<PinReview> {
  const scan = await scannerFor(subject, listing.items, ports);
  const mode = ports.mode() === 'strict' ? 'strict' : 'tofu';
  let judged: JudgedList = { quarantined: [], accepted: [], baselines: [] };
  const { pins, problem } = await updatePins(subject, ports, (before) => {
    judged = judgeList(listing, before, { mode, scan });
    const { accepted, baselines } = judged;
    if (before === 'unreadable' || accepted.length + baselines.length === 0) return undefined;
    const hashes = new Set(accepted.map(({ hash }) => hash));
    const kept = listing.items.filter(({ hash }) => hashes.has(hash));
    return {
      pins: withPins(before, accepted, {
        baselines,
        at: ports.clock.now(),
        seal: judged.quarantined.length === 0 ? listing.seal : undefined,
      }),
      definitions: kept.map(({ definition }) => definition),
    };
  });
  const { server } = subject;
  if (problem !== undefined) {
    const { kind, file } = problem;
    ports.logger.log('error', `the pins of a server are ${kind}`, { server, file });
    ports.onNotKept?.(server, problem);
  }
  for (const { kind, name, reason } of judged.quarantined) {
    ports.logger.log('warn', 'kept back', { server, what: kind, name, reason: reason.kind });
  }
  return { pins, quarantined: judged.quarantined };
}

/** Stores the seal of a list in which everything is pinned, so that it is recognised by one hash. */
export async function sealList(
  subject: PinSubject,
  { items, seal }: SealedListing,
  ports: ServerPinsPorts,
): Promise<PinnedServer | 'unreadable'> {
  const { pins } = await updatePins(subject, ports, (before) =>
    before === 'unreadable' || !areAllPinned(items, before)
      ? undefined
      : { pins: { ...before, seal }, definitions: [] },
  );
  return pins;
}

/** Replaces earlier pins that cannot be read. */
export function acceptItems(
  subject: PinSubject,
  items: readonly ListedItem[],
  ports: ServerPinsPorts,
): Promise<PinState> {
  return updatePins(subject, ports, (before) => {
    const isNew = before === 'unreadable';
    return {
      pins: withPins(isNew ? nothingPinned(subject.server) : before, items, {
        baselines: isNew ? PIN_KINDS : items.map(({ kind }) => kind),
        at: ports.clock.now(),
      }),
      definitions: items.map(({ definition }) => definition),
    };
  });
}

interface PinState {
  readonly pins: PinnedServer | 'unreadable';
  readonly problem?: PinProblem;
}

/**
 * Reads the pins, and writes them if `edit` returns a change. A change that cannot be written still counts for this
 * run: the user has accepted it all the same.
 */
async function updatePins(
  { server, key }: PinSubject,
  { store, clock }: ServerPinsPorts,
  edit: (before: PinnedServer | 'unreadable') => PinEdit | undefined,
): Promise<PinState> {
  const change = (now: Result<PinnedServer | undefined, PinProblem>) => {
    const before: PinnedServer | 'unreadable' = now.ok
      ? (now.value ?? nothingPinned(server))
      : 'unreadable';
    const after = edit(before);
    return { after, pins: after?.pins ?? before };
  };
  const first = await store.read(key);
  let last = change(first);
  if (last.after === undefined) {
    return { pins: last.pins, ...(first.ok ? {} : { problem: first.error }) };
  }
  const changed = await changePins(store, {
    key,
    clock,
    edit: (now) => {
      last = change(now);
      return last.after;
    },
  });
  return { pins: last.pins, ...(changed.ok ? {} : { problem: changed.error }) };
}

async function scannerFor(
  subject: PinSubject,
  items: readonly ListedItem[],
  ports: ReviewPorts,
): Promise<(item: ListedItem) => readonly ScanFinding[]> {
  const tools = items.filter(({ kind }) => kind === 'tool');
  const definitions = tools.map(({ definition }) => definition);
  const neighbours = await ports.neighbours.of(subject, definitions);
  // All items are scanned together at the first call: an attack may be spread over several.
  let found: ReadonlyMap<ListedItem, readonly ScanFinding[]> | undefined;
  const scanAll = (): ReadonlyMap<ListedItem, readonly ScanFinding[]> => {
    const findings = scanServer({
      definitions,
      around: { server: subject.server, ...neighbours },
      budget: { ...BUDGET, now: () => ports.clock.elapsed() },
    });
    return new Map(tools.map((item, index) => [item, findings[index] ?? []]));
  };
  return (item) => {
    if (item.kind === 'instructions') return scanText(item.definition.description ?? '');
    found ??= scanAll();
    return found.get(item) ?? [];
  };
}

/**
 * For one list, in characters and milliseconds: other servers must not wait while the tools of one are
 * scanned.
 */
const BUDGET = { size: 4 * 1024 * 1024, time: 3000 };

/** The differences from the accepted definition; from that under its old name, if it was renamed. */
export async function changesOf(
  { kind, name, reason, definition }: Quarantined,
  earlier:
    | {
        readonly pins: PinnedServer;
        readonly accepted: Promise<ReadonlyMap<string, PinnedDefinition>>;
      }
    | undefined,
): Promise<readonly DefinitionChange[]> {
  const oldName = reason.kind === 'renamed' ? reason.from : name;
  const hash = earlier?.pins.pins[kind].get(oldName)?.hash;
  const accepted = hash === undefined ? undefined : (await earlier?.accepted)?.get(hash);
  // Equal definitions are stored once, under the name of one of them.
  const before = accepted === undefined ? undefined : { ...accepted, name: oldName };
  return definitionChanges(before, definition);
}
