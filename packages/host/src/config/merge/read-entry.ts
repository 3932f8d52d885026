// Checks an entry that is not merged with others: one that is about to be written, or that nothing can patch.

import { type EntryFields, mergeRuleOf, readFields } from '../fields/index.ts';
import { combineValues } from './combine-values.ts';
import { type CombinedFields, type ComposedEntry, composeEntry } from './compose-entry.ts';
import { fieldsFromSlots, slotsOf } from './field-slots.ts';

export function readEntry(value: unknown): ComposedEntry {
  const { fields, findings } = readFields(value);
  if (fields === undefined) return { findings };
  const composed = composeEntry(mergedAlone(fields));
  return { ...composed, findings: [...findings, ...composed.findings] };
}

function mergedAlone(fields: EntryFields): CombinedFields {
  const slots = slotsOf(fields).map(({ path, value }) => ({
    path,
    value: combineValues(mergeRuleOf(path), [value]),
  }));
  // Made of the slots of checked fields.
  return fieldsFromSlots(slots);
}
