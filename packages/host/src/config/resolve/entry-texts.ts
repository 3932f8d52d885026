// The texts of an entry in which variables and secrets are filled in, each with its path.

import { FIELD_KEYS, hasEffect, rowOf, type ServerEntry } from '../fields/index.ts';
import { eachText, type FieldPath, someText, textsIn } from '../text/index.ts';

export type EntryText = readonly [path: FieldPath, text: string];

/** What may be filled in. Fields that are used before secrets are available accept only variables. */
export type PlaceholderKind = 'variables' | 'secrets';

/** The texts that may hold secrets. */
export function entryTexts(entry: ServerEntry): readonly EntryText[] {
  return filledFields(entry)
    .filter(({ fills }) => fills === 'secrets')
    .flatMap(({ key, value }) => textsIn(value, [key]));
}

/** Whether any text that is filled in matches. */
export function hasText(entry: ServerEntry, matches: (text: string) => boolean): boolean {
  return filledFields(entry).some(({ value }) => someText(value, matches));
}

/** Changes the texts of an entry. Fields without a text to change stay as they are. */
export function withTexts(
  entry: ServerEntry,
  isToChange: (text: string) => boolean,
  change: (text: string, fills: PlaceholderKind, path: FieldPath) => string,
): ServerEntry {
  const changed = filledFields(entry)
    .filter(({ value }) => someText(value, isToChange))
    .map(({ key, value, fills }) => [
      key,
      eachText(value, [key], (text, ...path) => change(text, fills, path)),
    ]);
  // Only texts changed, and they became texts.
  return changed.length === 0
    ? entry
    : ({ ...entry, ...Object.fromEntries(changed) } as ServerEntry);
}

interface FilledField {
  readonly key: string;
  readonly value: unknown;
  readonly fills: PlaceholderKind;
}

const FILLED = FIELD_KEYS.map((key) => ({ key, fills: rowOf(key).fills }));

function filledFields(entry: ServerEntry): readonly FilledField[] {
  const all: Readonly<Partial<Record<string, unknown>>> = { ...entry };
  const found: FilledField[] = [];
  FILLED.forEach(({ key, fills }) => {
    const value = all[key];
    if (fills === undefined || value === undefined) return;
    // The folder of a remote server belongs to its helper, which may run before secrets are available.
    found.push({ key, value, fills: hasEffect(key, entry.kind) ? fills : 'variables' });
  });
  return found;
}
