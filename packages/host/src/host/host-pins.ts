// Keeps back tools and instructions of a host's servers from models until the user accepts them. Holds the lists of
// the servers and the accepted definitions; the rules are in the pins room.

import { type Clock, type Emitter, type Logger, ok, type Result } from '@plugboard/base';
import {
  Catalog,
  letsThrough,
  type ServerOffer,
  type StoredList,
  type ToolReference,
} from '../catalog/index.ts';
import {
  type DefinitionChange,
  instructionsDefinition,
  type PinMode,
  type PinnedDefinition,
  type PinProblem,
  PinStore,
  type Quarantined,
  ServerPins,
} from '../pins/index.ts';
import type { HostEvent } from './host-surface.ts';
import type { ServerSet } from './server-set.ts';
import type { ServerStatus } from './server-status.ts';

export interface HostPinsParts {
  /** The folder of the user's state. */
  readonly state: string;
  readonly mode: PinMode;
  readonly servers: ServerSet;
  readonly events: Emitter<HostEvent>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export class HostPins {
  readonly #servers: ServerSet;
  readonly #events: Emitter<HostEvent>;
  readonly #pins: ServerPins;
  #mode: PinMode;
  /** The lists of the servers, including what is kept back. */
  readonly #listed = new Map<string, ServerOffer>();
  #revision = 0;
  /** The latest instructions of each listed server. */
  readonly #instructions = new Map<string, string | undefined>();
  /** The last reported quarantine of each server, as text. */
  readonly #reported = new Map<string, string>();
  /** Servers that had something kept back when they were last judged. */
  readonly #withQuarantine = new Set<string>();

  constructor({ state, mode, servers, events, clock, logger }: HostPinsParts) {
    this.#servers = servers;
    this.#events = events;
    this.#mode = mode;
    const store = new PinStore(state);
    this.#pins = new ServerPins({
      store,
      clock,
      logger,
      mode: () => this.#mode,
      subjectOf: (server) => servers.get(server)?.pinSubject,
      subjects: () => servers.pinSubjects,
      onNotKept: (server, problem) => {
        if (problem.kind === 'unreadable') return;
        const { file, code } = problem;
        events.emit({ kind: 'pins-not-kept', server, file, code });
      },
    });
  }

  /** Increases whenever an acceptance changes which tools may be shown. */
  get revision(): number {
    return this.#revision;
  }

  /** Stores a list, which must have been judged before. */
  take(offer: ServerOffer): void {
    this.#listed.set(offer.server, offer);
  }

  forget(server: string): void {
    this.#listed.delete(server);
  }

  /** Decides which items of a list may be shown. Called before the list counts. */
  async judge(server: string, list: Pick<StoredList, 'tools' | 'instructions'>): Promise<void> {
    this.#instructions.set(server, list.instructions);
    const filter = this.#servers.filterOf(server);
    const held = await this.#pins.judge(server, list);
    if (held.length === 0) this.#withQuarantine.delete(server);
    else this.#withQuarantine.add(server);
    this.#report(
      server,
      held.filter(({ kind, name }) => kind !== 'tool' || letsThrough(filter, name)),
    );
  }

  admits(server: string, definition: PinnedDefinition): boolean {
    return this.#pins.admits(server, 'tool', definition);
  }

  /** The status without instructions that were not accepted. */
  shown(status: ServerStatus): ServerStatus {
    const { name, state } = status;
    if (state.kind !== 'ready' || state.instructions === undefined) return status;
    // The user accepted the complete text; models may get a shortened one.
    const { fullInstructions = state.instructions, ...rest } = state;
    const definition = instructionsDefinition(fullInstructions);
    if (this.#pins.admits(name, 'instructions', definition)) return status;
    return { ...status, state: { ...rest, instructions: undefined } };
  }

  /** Everything that is kept back: tools that pass the filters of their entries, and instructions. */
  get quarantined(): readonly Quarantined[] {
    return this.#offersWithQuarantine().flatMap((offer) => this.#quarantinedOf(offer));
  }

  /** The kept-back tool that a reference names. */
  find(reference: ToolReference): Quarantined | undefined {
    const held = this.#quarantinedOffers();
    if (held.length === 0) return undefined;
    const catalog = new Catalog(held);
    const found =
      typeof reference === 'string' ? catalog.byName(reference) : catalog.byIdentity(reference);
    return found && this.#pins.whyNot(found.server, 'tool', found.definition);
  }

  /** Checks whether something that was kept back has been accepted, by this process or another. */
  async reconsider(server: string): Promise<void> {
    if (!this.#withQuarantine.has(server)) return;
    const offer = this.#offersWithQuarantine().find((each) => each.server === server);
    const held = offer === undefined ? 0 : this.#quarantinedOf(offer).length;
    if (offer === undefined || held === 0) return;
    await this.judge(server, { tools: offer.tools, instructions: this.#instructions.get(server) });
    if (this.#quarantinedOf(offer).length < held) this.#reportAccepted(server);
  }

  /** Judges all lists by a new setting. */
  async setMode(mode: PinMode): Promise<void> {
    if (mode === this.#mode) return;
    this.#mode = mode;
    for (const { server, tools } of [...this.#listed.values()]) {
      await this.judge(server, { tools, instructions: this.#instructions.get(server) });
      this.#reportAccepted(server);
    }
  }

  /** Accepts items exactly in the form in which they were kept back. */
  async accept(items: readonly Quarantined[]): Promise<Result<void, PinProblem>> {
    for (const server of new Set(items.map((each) => each.server))) {
      const accepted = await this.#pins.accept(
        server,
        items.filter((each) => each.server === server),
      );
      if (!accepted.ok) return accepted;
      const offer = this.#listed.get(server);
      this.#reportAccepted(server);
      this.#report(server, offer === undefined ? [] : this.#quarantinedOf(offer));
    }
    return ok(undefined);
  }

  changes(quarantined: Quarantined): Promise<readonly DefinitionChange[]> {
    return this.#pins.changes(quarantined);
  }

  #quarantinedOf({ server, tools, filter }: ServerOffer): readonly Quarantined[] {
    const held = tools
      .filter((tool) => !this.#pins.admits(server, 'tool', tool) && letsThrough(filter, tool.name))
      .map((tool) => this.#pins.whyNot(server, 'tool', tool));
    const text = this.#instructions.get(server);
    if (text === undefined || text === '') return held;
    const instructions = instructionsDefinition(text);
    if (this.#pins.admits(server, 'instructions', instructions)) return held;
    return [...held, this.#pins.whyNot(server, 'instructions', instructions)];
  }

  /** Nearly always empty. */
  #offersWithQuarantine(): readonly ServerOffer[] {
    if (this.#withQuarantine.size === 0) return [];
    return [...this.#listed.values()].filter(({ server }) => this.#withQuarantine.has(server));
  }

  #quarantinedOffers(): readonly ServerOffer[] {
    return this.#offersWithQuarantine().flatMap((offer) => {
      const tools = offer.tools.filter((tool) => !this.admits(offer.server, tool));
      return tools.length === 0 ? [] : [{ ...offer, tools }];
    });
  }

  #reportAccepted(server: string): void {
    this.#revision += 1;
    this.#events.emit({ kind: 'tools', server });
  }

  /** Emits an event, unless the quarantine is as last reported. */
  #report(server: string, held: readonly Quarantined[]): void {
    const now = held.map(({ kind, name, hash }) => `${kind} ${name} ${hash}`).join('\n');
    if (now === (this.#reported.get(server) ?? '')) return;
    this.#reported.set(server, now);
    this.#events.emit({ kind: 'quarantine', server, quarantined: held });
  }
}
