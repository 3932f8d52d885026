// What of the servers of a host is kept from models, and how it is let in. Knows what the servers list and
// what was accepted of them; the rules are in the pins room.

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
  /** What the servers listed, whether it may be shown or not. */
  readonly #listed = new Map<string, ServerOffer>();
  #revision = 0;
  /** As they came last; a server that was never listed is not there. */
  readonly #instructions = new Map<string, string | undefined>();
  /** What listeners were told last; nothing of servers of which nothing is kept back. */
  readonly #told = new Map<string, string>();
  /** Servers of which something was kept back when they were judged last. */
  readonly #holding = new Set<string>();

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

  /** Another number whenever something else may be shown than before. */
  get revision(): number {
    return this.#revision;
  }

  /** A list counts from now on; it was judged before. */
  take(offer: ServerOffer): void {
    this.#listed.set(offer.server, offer);
  }

  forget(server: string): void {
    this.#listed.delete(server);
  }

  /** Before a list counts: which of it may be shown. */
  async judge(server: string, list: Pick<StoredList, 'tools' | 'instructions'>): Promise<void> {
    this.#instructions.set(server, list.instructions);
    const filter = this.#servers.filterOf(server);
    const held = await this.#pins.judge(server, list);
    if (held.length === 0) this.#holding.delete(server);
    else this.#holding.add(server);
    this.#tell(
      server,
      held.filter(({ kind, name }) => kind !== 'tool' || letsThrough(filter, name)),
    );
  }

  admits(server: string, definition: PinnedDefinition): boolean {
    return this.#pins.admits(server, 'tool', definition);
  }

  /** A status with instructions in it only where they were accepted. */
  shown(status: ServerStatus): ServerStatus {
    const { name, state } = status;
    if (state.kind !== 'ready' || state.instructions === undefined) return status;
    // The whole of them was accepted, and what models are shown may be cut.
    const { fullInstructions = state.instructions, ...rest } = state;
    const definition = instructionsDefinition(fullInstructions);
    if (this.#pins.admits(name, 'instructions', definition)) return status;
    return { ...status, state: { ...rest, instructions: undefined } };
  }

  /** All that is kept back: tools that the entries let through, and instructions. */
  get quarantined(): readonly Quarantined[] {
    return this.#holders().flatMap((offer) => this.#heldOf(offer));
  }

  /** The tool that is kept back and meant by a reference. */
  find(reference: ToolReference): Quarantined | undefined {
    const held = this.#heldOffers();
    if (held.length === 0) return undefined;
    const catalog = new Catalog(held);
    const found =
      typeof reference === 'string' ? catalog.byName(reference) : catalog.byIdentity(reference);
    return found && this.#pins.whyNot(found.server, 'tool', found.definition);
  }

  /** Checks again whether something that is kept back was accepted meanwhile, by this process or another. */
  async reconsider(server: string): Promise<void> {
    if (!this.#holding.has(server)) return;
    const offer = this.#holders().find((each) => each.server === server);
    const held = offer === undefined ? 0 : this.#heldOf(offer).length;
    if (offer === undefined || held === 0) return;
    await this.judge(server, { tools: offer.tools, instructions: this.#instructions.get(server) });
    if (this.#heldOf(offer).length < held) this.#sayAccepted(server);
  }

  /** What is listed is judged by a new setting. Until then nothing more is shown. */
  async setMode(mode: PinMode): Promise<void> {
    if (mode === this.#mode) return;
    this.#mode = mode;
    for (const { server, tools } of [...this.#listed.values()]) {
      await this.judge(server, { tools, instructions: this.#instructions.get(server) });
      this.#sayAccepted(server);
    }
  }

  /** Accepts things as they were when they were kept back, and in no other form. */
  async accept(items: readonly Quarantined[]): Promise<Result<void, PinProblem>> {
    for (const server of new Set(items.map((each) => each.server))) {
      const accepted = await this.#pins.accept(
        server,
        items.filter((each) => each.server === server),
      );
      if (!accepted.ok) return accepted;
      const offer = this.#listed.get(server);
      this.#sayAccepted(server);
      this.#tell(server, offer === undefined ? [] : this.#heldOf(offer));
    }
    return ok(undefined);
  }

  changes(quarantined: Quarantined): Promise<readonly DefinitionChange[]> {
    return this.#pins.changes(quarantined);
  }

  #heldOf({ server, tools, filter }: ServerOffer): readonly Quarantined[] {
    const held = tools
      .filter((tool) => !this.#pins.admits(server, 'tool', tool) && letsThrough(filter, tool.name))
      .map((tool) => this.#pins.whyNot(server, 'tool', tool));
    const text = this.#instructions.get(server);
    if (text === undefined || text === '') return held;
    const instructions = instructionsDefinition(text);
    if (this.#pins.admits(server, 'instructions', instructions)) return held;
    return [...held, this.#pins.whyNot(server, 'instructions', instructions)];
  }

  /** Nearly always none. */
  #holders(): readonly ServerOffer[] {
    if (this.#holding.size === 0) return [];
    return [...this.#listed.values()].filter(({ server }) => this.#holding.has(server));
  }

  #heldOffers(): readonly ServerOffer[] {
    return this.#holders().flatMap((offer) => {
      const tools = offer.tools.filter((tool) => !this.admits(offer.server, tool));
      return tools.length === 0 ? [] : [{ ...offer, tools }];
    });
  }

  #sayAccepted(server: string): void {
    this.#revision += 1;
    this.#events.emit({ kind: 'tools', server });
  }

  /** Listeners hear of it once, however often the same is listed. */
  #tell(server: string, held: readonly Quarantined[]): void {
    const now = held.map(({ kind, name, hash }) => `${kind} ${name} ${hash}`).join('\n');
    if (now === (this.#told.get(server) ?? '')) return;
    this.#told.set(server, now);
    this.#events.emit({ kind: 'quarantine', server, quarantined: held });
  }
}
