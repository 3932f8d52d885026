// The pins of one server, and their format on disk.

import { type Instant, isObject, parseJson } from '@plugboard/base';

/** What can be pinned. The name of a server's instructions is empty. */
export const PIN_KINDS = ['tool', 'instructions'] as const;
export type PinKind = (typeof PIN_KINDS)[number];

export interface Pin {
  readonly hash: string;
  /** When it was accepted. */
  readonly at: Instant;
}

export interface PinnedServer {
  readonly server: string;
  /** The kinds with a baseline: further items of these kinds have to be accepted. */
  readonly baselines: ReadonlySet<PinKind>;
  readonly pins: Readonly<Record<PinKind, ReadonlyMap<string, Pin>>>;
  /** The hash of a list in which everything is pinned: the same list is recognised by one hash, not by hundreds. */
  readonly seal?: string | undefined;
}

/** More than the pins of the longest permitted list take. */
export const MAX_PINS_BYTES = 8 * 1024 * 1024;
const MAX_PINS = 20_000;
const FORMAT = 1;
const HASH = /^[0-9a-f]{64}$/;

export function nothingPinned(server: string): PinnedServer {
  return {
    server,
    baselines: new Set(),
    pins: { tool: new Map(), instructions: new Map() },
  };
}

export interface NewPin {
  readonly kind: PinKind;
  readonly name: string;
  readonly hash: string;
}

export interface PinUpdate {
  readonly baselines: readonly PinKind[];
  readonly at: Instant;
  /** The seal of the list, if all of it is pinned now. */
  readonly seal?: string | undefined;
}

export function withPins(
  before: PinnedServer,
  added: readonly NewPin[],
  { baselines, at, seal }: PinUpdate,
): PinnedServer {
  const pins = {
    tool: new Map(before.pins.tool),
    instructions: new Map(before.pins.instructions),
  };
  for (const { kind, name, hash } of added) {
    if (pins[kind].get(name)?.hash !== hash) pins[kind].set(name, { hash, at });
  }
  // After the pins change, the earlier seal may cover definitions that are no longer accepted.
  return { ...before, baselines: new Set([...before.baselines, ...baselines]), pins, seal };
}

export function formatPins({ server, baselines, pins, seal }: PinnedServer): string {
  const written = Object.fromEntries(
    PIN_KINDS.map((kind) => [
      kind,
      [...pins[kind]].slice(-MAX_PINS).map(([name, { hash, at }]) => [name, hash, at]),
    ]),
  );
  const baseline = PIN_KINDS.filter((kind) => baselines.has(kind));
  return `${JSON.stringify({ format: FORMAT, server, baseline, seal, pins: written }, null, 1)}\n`;
}

/** `undefined` for a text that is not exactly what `formatPins` writes. */
export function parsePins(text: string): PinnedServer | undefined {
  const parsed = parseJson(text, { maxLength: MAX_PINS_BYTES, maxDepth: 5 });
  if (!parsed.ok || !isObject(parsed.value)) return undefined;
  const { format, server, baseline, pins, seal } = parsed.value;
  if (format !== FORMAT || typeof server !== 'string' || !isObject(pins)) return undefined;
  if (!Array.isArray(baseline) || !baseline.every(isKind)) return undefined;
  if (seal !== undefined && !(typeof seal === 'string' && HASH.test(seal))) return undefined;
  const [tool, instructions] = PIN_KINDS.map((kind) => readPins(pins[kind]));
  if (tool === undefined || instructions === undefined) return undefined;
  return { server, baselines: new Set(baseline), pins: { tool, instructions }, seal };
}

function isKind(value: unknown): value is PinKind {
  return PIN_KINDS.some((kind) => kind === value);
}

function readPins(value: unknown): ReadonlyMap<string, Pin> | undefined {
  if (!Array.isArray(value)) return undefined;
  const pins = new Map<string, Pin>();
  for (const written of value as readonly unknown[]) {
    if (!Array.isArray(written)) return undefined;
    const [name, hash, at] = written as readonly unknown[];
    if (typeof name !== 'string' || typeof hash !== 'string' || typeof at !== 'number') {
      return undefined;
    }
    if (!HASH.test(hash)) return undefined;
    pins.set(name, { hash, at });
  }
  return pins;
}
