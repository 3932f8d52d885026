// Finds a tool that takes the place of another server's tool, or tells the model what to do with one. Common names
// prove nothing; the same name with the same words does, and so does another server's distinctive name in a sentence
// that gives an order. Pure.

import { plainText } from './plain-text.ts';

export interface PeerTool {
  readonly server: string;
  readonly name: string;
  readonly description: string;
}

export interface Neighbours {
  readonly peers: Peers;
  /** Whether a server is another one. One that is the same program has the same tools. All, by default. */
  readonly isPeer?: ((server: string) => boolean) | undefined;
}

interface ShadowedTool {
  readonly kind: 'copy' | 'order';
  readonly peer: PeerTool;
}

/** The tools of all servers, so arranged that looking costs nothing for those that are not concerned. */
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

  /** What a server has now, in place of what it had. */
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

  /** How many of these names a server has. */
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

/** `whole` is all there is of the tool, as JSON. */
export function shadowedBy(
  tool: PeerTool,
  whole: string,
  { peers, isPeer = () => true }: Neighbours,
): ShadowedTool | undefined {
  // A common name for such a tool is no copy.
  const namesakes = isDistinctive(tool.name) ? peers.of(tool.name, tool.server) : [];
  const copied = namesakes.find(
    ({ server, description }) => isPeer(server) && isAlike(tool.description, description),
  );
  if (copied !== undefined) return { kind: 'copy', peer: copied };
  const peer = orderedIn(whole, tool, peers);
  return peer === undefined ? undefined : { kind: 'order', peer };
}

/** At least two words, joined in a way that does not occur by chance. */
const DISTINCTIVE = /\b[A-Za-z][a-z0-9]*(?:[_-][a-z0-9]|[A-Z])[\w-]{0,60}/g;
const SHORTEST = 8;
const ORDER =
  /\b(?:calls?|invokes?|uses?|runs?|executes?|triggers?|instead of|before|after|first|prefer|replaces?|rather than|never|must)\b/;

/** The tool of another server that a text speaks of, where it says what to do with it. */
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
/** Of so few, too many are alike. */
const FEW_WORDS = 4;

/** Whether two descriptions say the same in nearly the same words. */
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
