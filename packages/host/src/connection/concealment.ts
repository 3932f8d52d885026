// Keeps secrets that were filled in out of what people read later: the failure to open a session, and
// what is recorded of one. Servers quote what they were given, most of all when they do not like it.

import type { Recorder, ServerLog } from '../protocol/index.ts';
import type { ConnectionFailure } from './state.ts';

/** The text with every secret in it as it was written in the entry, or hidden. */
export type Conceal = (text: string) => string;

const HIDDEN = '(hidden)';

/** `others` are those that have no name of their own. */
export function concealing(
  secrets: ReadonlyMap<string, string>,
  others: readonly string[] = [],
): Conceal {
  const shown = new Map([
    ...others.map((value) => [value, HIDDEN] as const),
    ...[...secrets].map(([name, value]) => [value, `\${secret:${name}}`] as const),
  ]);
  // Longer ones first: one may be the beginning of another.
  const known = [...shown]
    .filter(([value]) => value !== '')
    .flatMap(([value, words]) => spellingsOf(value).map((spelling) => [spelling, words] as const))
    .toSorted(([a], [b]) => b.length - a.length);
  return (text) =>
    known.reduce((left, [value, words]) => left.replaceAll(value, () => words), text);
}

/** As it is, inside of JSON, and inside an address. */
function spellingsOf(value: string): readonly string[] {
  return [...new Set([value, JSON.stringify(value).slice(1, -1), inAddress(value)])];
}

function inAddress(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    // Half a character cannot be encoded, and so is in no address.
    return value;
  }
}

/** A line without an end; what is longer is passed on in pieces. */
const LONGEST_LINE = 64 * 1024;

/** Takes whole lines, since a secret may be in two pieces of what is read; `flush` gives the last one. */
export class ConcealingRecorder implements Recorder {
  readonly #recorder: Recorder;
  readonly #conceal: Conceal;
  #partial = '';
  #isFlushed = false;

  constructor(recorder: Recorder, conceal: Conceal) {
    this.#recorder = recorder;
    this.#conceal = conceal;
  }

  get keepsBodies(): boolean {
    return this.#recorder.keepsBodies;
  }

  get isOfLines(): boolean {
    return this.#recorder.isOfLines ?? false;
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

  /** Once the session is over. What still comes is passed on as it comes. */
  flush(): void {
    this.#isFlushed = true;
    this.stderr('');
  }
}

export function concealed<T extends ConnectionFailure | ServerLog>(value: T, conceal: Conceal): T {
  // Only texts are replaced, and none that says what something is, so it has the type it had.
  return replacedIn(value, conceal) as T;
}

const NAMES: ReadonlySet<string> = new Set(['kind', 'code']);

function replacedIn(value: unknown, conceal: Conceal): unknown {
  if (typeof value === 'string') return conceal(value);
  if (Array.isArray(value)) return value.map((each) => replacedIn(each, conceal));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [
      key,
      NAMES.has(key) ? field : replacedIn(field, conceal),
    ]),
  );
}
