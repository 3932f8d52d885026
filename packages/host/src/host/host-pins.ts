// What of the servers of a host is kept from models, and how it is let in. Knows what the servers list and
// what was accepted of them; the rules are in the pins room.

import { type Clock, type Logger, ok, type Result } from '@plugboard/base';
import {
  Catalog,
  letsThrough,
  type ServerOffer,
  type StoredList,
  type ToolFilter,
} from '../catalog/index.ts';
import {
  type DefinitionChange,
  instructionsDefinition,
  pinNeighbours,
  type PinMode,
  type PinnedDefinition,
  type PinProblem,
  PinStore,
  type PinSubject,
  type Quarantined,
  ServerPins,
} from '../pins/index.ts';
import type { ToolReference } from './call.ts';
import type { ServerStatus } from './server-status.ts';

export interface HostPinsPorts {
  /** The user's state. */
  readonly state: string;
  readonly clock: Clock;
  readonly logger: Logger;
  mode(): PinMode;
  /** Of all servers that are pinned. */
  subjects(): readonly PinSubject[];
  subjectOf(server: string): PinSubject | undefined;
  filterOf(server: string): ToolFilter;
  /** What the servers listed, whether it may be shown or not. */
  listed(): readonly ServerOffer[];
  /** What is kept back of a server is not what it was. */
  onQuarantine(server: string, quarantined: readonly Quarantined[]): void;
  /** Something that was kept back may be used now. */
  onAccepted(server: string): void;
}

export class HostPins {
  readonly #ports: HostPinsPorts;
  readonly #pins: ServerPins;
  /** As they came last; a server that was never listed is not there. */
  readonly #instructions = new Map<string, string | undefined>();
  /** What listeners were told last; nothing of servers of which nothing is kept back. */
  readonly #told = new Map<string, string>();
  /** Servers of which something was kept back when they were judged last. */
  readonly #holding = new Set<string>();

  constructor(ports: HostPinsPorts) {
    this.#ports = ports;
    const store = new PinStore(ports.state);
    this.#pins = new ServerPins({
      store,
      clock: ports.clock,
      logger: ports.logger,
      mode: () => ports.mode(),
      subjectOf: (server) => ports.subjectOf(server),
      neighbours: pinNeighbours(store, () => ports.subjects()),
    });
  }

  /** Before a list counts: which of it may be shown. */
  async judge(server: string, list: Pick<StoredList, 'tools' | 'instructions'>): Promise<void> {
    this.#instructions.set(server, list.instructions);
    const filter = this.#ports.filterOf(server);
    const held = await this.#pins.judge(server, list);
    if (held.length === 0) this.#holding.delete(server);
    else this.#holding.add(server);
    this.#tell(
      server,
      held.filter(({ kind, name }) => kind !== 'tool' || letsThrough(filter, name)),
    );
  }

  /** The same for a list of an earlier run, where there is one. */
  async judged(
    server: string,
    recalled: Promise<StoredList | undefined>,
  ): Promise<StoredList | undefined> {
    const list = await recalled;
    if (list !== undefined) await this.judge(server, list);
    return list;
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

  /** Looks again whether something that is kept back was accepted meanwhile, by whomever. */
  async reconsider(server: string): Promise<void> {
    if (!this.#holding.has(server)) return;
    const offer = this.#holders().find((each) => each.server === server);
    const held = offer === undefined ? 0 : this.#heldOf(offer).length;
    if (offer === undefined || held === 0) return;
    await this.judge(server, { tools: offer.tools, instructions: this.#instructions.get(server) });
    if (this.#heldOf(offer).length < held) this.#ports.onAccepted(server);
  }

  /** The setting changed: what is listed is judged by the new one. Until then nothing more is shown. */
  async judgeAgain(): Promise<void> {
    for (const { server, tools } of this.#ports.listed()) {
      await this.judge(server, { tools, instructions: this.#instructions.get(server) });
      this.#ports.onAccepted(server);
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
      const offer = this.#ports.listed().find((each) => each.server === server);
      this.#ports.onAccepted(server);
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
    return this.#ports.listed().filter(({ server }) => this.#holding.has(server));
  }

  #heldOffers(): readonly ServerOffer[] {
    return this.#holders().flatMap((offer) => {
      const tools = offer.tools.filter((tool) => !this.admits(offer.server, tool));
      return tools.length === 0 ? [] : [{ ...offer, tools }];
    });
  }

  /** Whoever listens hears of it once, however often the same is listed. */
  #tell(server: string, held: readonly Quarantined[]): void {
    const now = held.map(({ kind, name, hash }) => `${kind} ${name} ${hash}`).join('\n');
    if (now === (this.#told.get(server) ?? '')) return;
    this.#told.set(server, now);
    this.#ports.onQuarantine(server, held);
  }
}
