// Hides secrets in what people read later: failures, logs and the records of a session. Servers quote the values that
// they receive, above all when they reject them.

import type { Recorder, ServerLog } from '../protocol/index.ts';
import type { ConnectionFailure } from './state.ts';

/** Returns the text with each secret replaced: as its entry writes it, or by a placeholder. */
export type Conceal = (text: string) => string;

const HIDDEN = '(hidden)';

/** `others` are secrets without a name. */
export function createConceal(
  secrets: ReadonlyMap<string, string>,
  others: readonly string[] = [],
): Conceal {
  const shown = new Map([
    ...others.map((value) => [value, HIDDEN] as const),
    ...[...secrets].map(([name, value]) => [value, `\${secret:${name}}`] as const),
  ]);
  // Longer secrets first: one may be the beginning of another.
  const known = [...shown]
    .filter(([value]) => value !== '')
    .flatMap(([value, words]) => spellingsOf(value).map((spelling) => [spelling, words] as const))
    .toSorted(([a], [b]) => b.length - a.length);
  return (text) =>
    known.reduce((left, [value, words]) => left.replaceAll(value, () => words), text);
}

/** The value as it is, inside JSON, and inside an address. */
function spellingsOf(value: string): readonly string[] {
  return [...new Set([value, JSON.stringify(value).slice(1, -1), inAddress(value)])];
}

function inAddress(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    // A lone surrogate cannot be encoded, so no address contains this value.
    return value;
  }
}

/** Longer lines are passed on in pieces. */
const LONGEST_LINE = 64 * 1024;

/** Waits for whole lines, since a secret can be split between two chunks; `flush` passes the last line on. */
export class ConcealingRecorder implements Recorder {
  readonly #recorder: Recorder;
  readonly #conceal: Conceal;
  #partial = '';
  #isFlushed = false;

  constructor(recorder: Recorder, conceal: Conceal) {
    this.#recorder = recorder;
    this.#conceal = conceal;
  }

  get keeps(): Recorder['keeps'] {
    return this.#recorder.keeps;
  }

  frame(record: Parameters<Recorder['frame']>[0]): void {
    const { body } = record;
    this.#recorder.frame(body === undefined ? record : { ...record, body: this.#conceal(body) });
  }

  stderr(text: string): void {
    const all = this.#partial + text;
    const isWhole = this.#isFlushed || all.length > LONGEST_LINE;
    const end = isWhole ? all.length : all.lastIndexOf('\n') + 1;
    this.#partial = all.slice(end);
    if (end > 0) this.#recorder.stderr(this.#conceal(all.slice(0, end)));
  }

  stray(line: string): void {
    this.#recorder.stray(this.#conceal(line));
  }

  /** To be called when the session is over. Later output is passed on at once. */
  flush(): void {
    this.#isFlushed = true;
    this.stderr('');
  }
}

export function concealIn<T extends ConnectionFailure | ServerLog>(value: T, conceal: Conceal): T {
  // Only texts are replaced, and no discriminant, so the type stays the same.
  return concealTexts(value, conceal) as T;
}

const DISCRIMINANTS: ReadonlySet<string> = new Set(['kind', 'code']);

function concealTexts(value: unknown, conceal: Conceal): unknown {
  if (typeof value === 'string') return conceal(value);
  if (Array.isArray(value)) return value.map((each) => concealTexts(each, conceal));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [
      key,
      DISCRIMINANTS.has(key) ? field : concealTexts(field, conceal),
    ]),
  );
}
