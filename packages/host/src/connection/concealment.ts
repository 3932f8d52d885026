// Keeps secrets that were filled in out of what people read later: the failure to open a session, and
// what is recorded of one. Servers quote what they were given, most of all when they do not like it.

import type { Recorder } from '../protocol/index.ts';
import type { ConnectionFailure } from './state.ts';

/** The text with every secret in it as it was written in the entry. */
export type Conceal = (text: string) => string;

export function concealing(secrets: ReadonlyMap<string, string>): Conceal {
  // Longer ones first: one may be the beginning of another.
  const known = [...secrets]
    .filter(([, value]) => value !== '')
    .toSorted(([, a], [, b]) => b.length - a.length);
  return (text) =>
    known.reduce((left, [name, value]) => left.replaceAll(value, () => `\${secret:${name}}`), text);
}

export function concealedFailure(failure: ConnectionFailure, conceal: Conceal): ConnectionFailure {
  // Only texts are replaced, and none that says what something is, so it has the type it had.
  return concealedIn(failure, conceal) as ConnectionFailure;
}

export function concealingRecorder(recorder: Recorder, conceal: Conceal): Recorder {
  return {
    get keepsBodies() {
      return recorder.keepsBodies;
    },
    frame: (record) =>
      recorder.frame(
        record.body === undefined ? record : { ...record, body: conceal(record.body) },
      ),
    stderr: (text) => recorder.stderr(conceal(text)),
  };
}

const NAMES: ReadonlySet<string> = new Set(['kind', 'code']);

function concealedIn(value: unknown, conceal: Conceal): unknown {
  if (typeof value === 'string') return conceal(value);
  if (Array.isArray(value)) return value.map((each) => concealedIn(each, conceal));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [
      key,
      NAMES.has(key) ? field : concealedIn(field, conceal),
    ]),
  );
}
