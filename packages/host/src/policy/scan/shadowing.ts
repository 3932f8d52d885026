// Finds a tool that replaces another server's tool, or gives the model orders about one. A common name alone proves
// nothing; the same name with the same description does, and so does the distinctive name of another server's tool in a
// sentence that gives an order. Pure.

import { plainText } from './plain-text.ts';

export interface PeerTool {
  readonly server: string;
  readonly name: string;
  readonly description: string;
}

export interface Neighbours {
  readonly peers: Peers;
  /** Whether a server is a different program. All servers are, by default. */
  readonly isPeer?: ((server: string) => boolean) | undefined;
}

interface ShadowedTool {
  readonly kind: 'copy' | 'order';
  readonly peer: PeerTool;
}

/** The tools of all servers, indexed by name. */
export class Peers {
  readonly #byName = new Map<string, PeerTool[]>();
  readonly #byServer = new Map<string, readonly PeerTool[]>();

  constructor(tools: readonly PeerTool[] = []) {
    const servers = new Set(tools.map(({ server }) => server));
    for (const server of servers) {
      this.set(
        server,
        tools.filter((tool) => tool.server === server),
      );
    }
  }

  /** Replaces the tools of a server. */
  set(server: string, tools: readonly Omit<PeerTool, 'server'>[]): void {
    for (const tool of this.#byServer.get(server) ?? []) {
      const known = this.#byName.get(tool.name.toLowerCase());
      known?.splice(known.indexOf(tool), 1);
    }
    const own = tools.map(({ name, description }) => ({ server, name, description }));
    this.#byServer.set(server, own);
    for (const tool of own) {
      const name = tool.name.toLowerCase();
      const known = this.#byName.get(name);
      if (known === undefined) this.#byName.set(name, [tool]);
      else known.push(tool);
    }
  }

  /** The number of a server's tools with one of these names. */
  shared(server: string, names: ReadonlySet<string>): number {
    return (this.#byServer.get(server) ?? []).filter(({ name }) => names.has(name)).length;
  }

  of(name: string, exceptServer: string): readonly PeerTool[] {
    const known = this.#byName.get(name.toLowerCase());
    return known === undefined ? [] : known.filter(({ server }) => server !== exceptServer);
  }

  has(name: string, server: string): boolean {
    return this.#byName.get(name.toLowerCase())?.some((tool) => tool.server === server) ?? false;
  }
}

/** `whole` is the complete definition as JSON. */
export function shadowedBy(
  tool: PeerTool,
  whole: string,
  { peers, isPeer = () => true }: Neighbours,
): ShadowedTool | undefined {
  // A tool with a common name is not a copy.
  const namesakes = isDistinctive(tool.name) ? peers.of(tool.name, tool.server) : [];
  const copied = namesakes.find(
    ({ server, description }) => isPeer(server) && isAlike(tool.description, description),
  );
  if (copied !== undefined) return { kind: 'copy', peer: copied };
  const peer = orderedIn(whole, tool, peers);
  return peer === undefined ? undefined : { kind: 'order', peer };
}

/** At least two joined words, which are not a name by chance. */
const DISTINCTIVE = /\b[A-Za-z][a-z0-9]*(?:[_-][a-z0-9]|[A-Z])[\w-]{0,60}/g;
const SHORTEST = 8;
const ORDER =
  /\b(?:calls?|invokes?|uses?|runs?|executes?|triggers?|instead of|before|after|first|prefer|replaces?|rather than|never|must)\b/;

/** The tool of another server about which a text gives orders. */
function orderedIn(text: string, tool: PeerTool, peers: Peers): PeerTool | undefined {
  for (const { 0: name, index } of text.matchAll(DISTINCTIVE)) {
    if (name.length < SHORTEST || name.toLowerCase() === tool.name.toLowerCase()) continue;
    const [peer] = peers.of(name, tool.server);
    // A server may mention its own tools, even if another server has one of the same name.
    if (peer === undefined || peers.has(name, tool.server)) continue;
    const around = text.slice(Math.max(0, index - 60), index + name.length + 40).toLowerCase();
    if (ORDER.test(around)) return peer;
  }
  return undefined;
}

function isDistinctive(name: string): boolean {
  return name.length >= SHORTEST && name.search(DISTINCTIVE) === 0;
}

const ALIKE = 0.7;
/** Descriptions with fewer words are too often alike. */
const FEW_WORDS = 4;

/** Whether two descriptions have nearly the same words. */
function isAlike(a: string, b: string): boolean {
  const [left, right] = [distinctWords(a), distinctWords(b)];
  if (left.size < FEW_WORDS || right.size < FEW_WORDS) return false;
  let shared = 0;
  for (const word of left) if (right.has(word)) shared += 1;
  return shared / (left.size + right.size - shared) >= ALIKE;
}

function distinctWords(text: string): ReadonlySet<string> {
  return new Set(plainText(text.slice(0, 2000)).match(/[\p{L}\p{N}]+/gu) ?? []);
}
