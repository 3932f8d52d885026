// Turns one entry that stands alone into a checked server: for entries that are about to be written, and for those that
// nothing can patch.

import { type EntryFields, mergeRuleOf, readFields } from '../fields/index.ts';
import { combineValues } from './combine-values.ts';
import { type CombinedFields, type ComposedEntry, composeEntry } from './compose-entry.ts';
import { fieldsFromSlots, slotsOf } from './field-slots.ts';

export function readEntry(value: unknown): ComposedEntry {
  const { fields, findings } = readFields(value);
  if (fields === undefined) return { findings };
  const composed = composeEntry(alone(fields));
  return { ...composed, findings: [...findings, ...composed.findings] };
}

function alone(fields: EntryFields): CombinedFields {
  const slots = slotsOf(fields).map(({ path, value }) => ({
    path,
    value: combineValues(mergeRuleOf(path), [value]),
  }));
  // The slots of checked fields, put together again.
  return fieldsFromSlots(slots);
}
