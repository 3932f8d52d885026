// The pins of one host's servers: judges what servers list, stores what is accepted, and answers synchronously whether
// a definition may be shown. Usually everything is as accepted; the code that reviews differences is loaded only when
// there are some.

import {
  type Clock,
  type Instant,
  KeyedMutex,
  type Logger,
  never,
  ok,
  type Result,
} from '@plugboard/base';
import type { DefinitionChange } from './definition-diff.ts';
import { type PinnedDefinition, textHash } from './definition-hash.ts';
import { areAllPinned, type ListedItem, type PinMode, type SealedListing } from './judge-list.ts';
import { hashOf, type PinProblem, type PinStore } from './pin-store.ts';
import type { PinNeighbours } from './pin-neighbours.ts';
import type { PinSubject } from './pin-subject.ts';
import { nothingPinned, type PinKind, type PinnedServer } from './pinned-server.ts';
import type { Quarantined } from './quarantine.ts';

export interface PinnedList {
  readonly tools: readonly PinnedDefinition[];
  /** `undefined` if the server has none. */
  readonly instructions?: string | undefined;
}

export interface ServerPinsPorts {
  readonly store: PinStore;
  readonly clock: Clock;
  readonly logger: Logger;
  mode(): PinMode;
  /** `undefined` for a server that is not pinned. */
  subjectOf(server: string): PinSubject | undefined;
  /** All servers that are pinned. */
  subjects(): readonly PinSubject[];
  /** Called if accepted items could not be written, and count for this run only. */
  onNotKept?(server: string, problem: PinProblem): void;
}

export type PinStanding =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'pinned';
      readonly tools: number;
      /** When an item was last accepted. */
      readonly since: Instant;
    }
  | { readonly kind: 'unreadable'; readonly file: string };

interface KnownPins {
  readonly pins: PinnedServer | 'unreadable';
  /** The items that were kept back at the last judgement, by kind and name. */
  readonly quarantined: ReadonlyMap<string, Quarantined>;
}

export class ServerPins {
  readonly #ports: ServerPinsPorts;
  readonly #known = new Map<string, KnownPins>();
  /** The definitions of a sealed list, with the pins that seal it. */
  readonly #sealed = new WeakMap<PinnedDefinition, PinnedServer>();
  readonly #judging = new KeyedMutex<string>();
  #neighbours: PinNeighbours | undefined;

  constructor(ports: ServerPinsPorts) {
    this.#ports = ports;
  }

  /** Judges the list of a server, for `admits`. Returns the items that are kept back. */
  async judge(server: string, list: PinnedList): Promise<readonly Quarantined[]> {
    const subject = this.#subjectOf(server);
    if (subject === undefined) return [];
    return this.#judging.run(subject.key, never, () => this.#judge(subject, list));
  }

  /** Whether a definition may be shown and used. False for a server that was not judged yet. */
  admits(server: string, kind: PinKind, definition: PinnedDefinition): boolean {
    const subject = this.#subjectOf(server);
    if (subject === undefined) return true;
    const pins = this.#known.get(subject.key)?.pins;
    if (pins === undefined || pins === 'unreadable') return false;
    if (this.#sealed.get(definition) === pins) return true;
    const pin = pins.pins[kind].get(definition.name);
    return pin !== undefined && pin.hash === hashOf(definition);
  }

  /** The reason why an item that is not admitted was kept back. */
  whyNot(server: string, kind: PinKind, definition: PinnedDefinition): Quarantined {
    const subject = this.#subjectOf(server);
    const known = subject === undefined ? undefined : this.#known.get(subject.key);
    const found = known?.quarantined.get(itemKey(kind, definition.name));
    if (found !== undefined) return found;
    const { name } = definition;
    const reason = { kind: 'new' } as const;
    return { server, kind, name, hash: hashOf(definition), reason, findings: [], definition };
  }

  /** Counts the accepted items of a server. */
  async standing(server: string): Promise<PinStanding> {
    const subject = this.#ports.subjectOf(server);
    if (subject === undefined) return { kind: 'none' };
    const read = await this.#ports.store.read(subject.key);
    if (!read.ok) return { kind: 'unreadable', file: read.error.file };
    const kinds = Object.values(read.value?.pins ?? {});
    const times = kinds.flatMap((kind) => Array.from(kind.values(), ({ at }) => at));
    if (read.value === undefined || times.length === 0) return { kind: 'none' };
    return { kind: 'pinned', tools: read.value.pins.tool.size, since: Math.max(...times) };
  }

  /** Accepts items exactly in this form. */
  async accept(
    server: string,
    items: readonly Pick<Quarantined, 'kind' | 'definition'>[],
  ): Promise<Result<void, PinProblem>> {
    const subject = this.#ports.subjectOf(server);
    if (subject === undefined || items.length === 0) return ok(undefined);
    const added = items.map(({ kind, definition }) => toItem(kind, definition));
    const { acceptItems } = await import('./pin-review.ts');
    return this.#judging.run(subject.key, never, async () => {
      const { pins, problem } = await acceptItems(subject, added, this.#ports);
      this.#remember(subject, pins, []);
      return problem === undefined ? ok(undefined) : { ok: false, error: problem };
    });
  }

  /** The differences from the accepted definition. */
  async changes(quarantined: Quarantined): Promise<readonly DefinitionChange[]> {
    const { changesOf } = await import('./pin-review.ts');
    const subject = this.#ports.subjectOf(quarantined.server);
    const pins = subject === undefined ? undefined : this.#known.get(subject.key)?.pins;
    if (subject === undefined || pins === undefined || pins === 'unreadable') {
      return changesOf(quarantined, undefined);
    }
    return changesOf(quarantined, { pins, accepted: this.#ports.store.definitions(subject.key) });
  }

  #subjectOf(server: string): PinSubject | undefined {
    return this.#ports.mode() === 'off' ? undefined : this.#ports.subjectOf(server);
  }

  async #judge(subject: PinSubject, list: PinnedList): Promise<readonly Quarantined[]> {
    const seal = sealOf(list);
    const known = this.#known.get(subject.key)?.pins ?? (await this.#read(subject));
    if (known !== 'unreadable' && known.seal === seal) {
      this.#remember(subject, known, []);
      for (const tool of list.tools) this.#sealed.set(tool, known);
      return [];
    }
    const listing = toListing(subject.server, list, seal);
    if (known !== 'unreadable' && areAllPinned(listing.items, known)) {
      const { sealList } = await import('./pin-review.ts');
      this.#remember(subject, await sealList(subject, listing, this.#ports), []);
      return [];
    }
    // The review reads the file again: another process may have accepted items meanwhile.
    const { PinNeighbours } = await import('./pin-neighbours.ts');
    const { reviewList } = await import('./pin-review.ts');
    this.#neighbours ??= new PinNeighbours(this.#ports.store, () => this.#ports.subjects());
    const ports = { ...this.#ports, neighbours: this.#neighbours };
    const { pins, quarantined } = await reviewList(subject, listing, ports);
    this.#remember(subject, pins, quarantined);
    return quarantined;
  }

  async #read({ server, key }: PinSubject): Promise<PinnedServer | 'unreadable'> {
    const read = await this.#ports.store.read(key);
    return read.ok ? (read.value ?? nothingPinned(server)) : 'unreadable';
  }

  #remember(
    subject: PinSubject,
    pins: PinnedServer | 'unreadable',
    quarantined: readonly Quarantined[],
  ): void {
    const byKey = new Map(quarantined.map((each) => [itemKey(each.kind, each.name), each]));
    this.#known.set(subject.key, { pins, quarantined: byKey });
  }
}

function itemKey(kind: PinKind, name: string): string {
  return `${kind}\0${name}`;
}

/** Equal for a list as received and as stored, and for no other list. */
function sealOf({ tools, instructions }: PinnedList): string {
  return textHash(JSON.stringify([tools, instructions]));
}

function toListing(
  server: string,
  { tools, instructions }: PinnedList,
  seal: string,
): SealedListing {
  const texts = instructions === undefined || instructions === '' ? [] : [instructions];
  return {
    server,
    seal,
    items: [
      ...tools.map((definition) => toItem('tool', definition)),
      ...texts.map((text) => toItem('instructions', instructionsDefinition(text))),
    ],
  };
}

function toItem(kind: PinKind, definition: PinnedDefinition): ListedItem {
  return { kind, name: definition.name, hash: hashOf(definition), definition };
}

/** The instructions of a server as a definition that can be pinned. */
export function instructionsDefinition(text: string): PinnedDefinition {
  return { name: '', description: text };
}
