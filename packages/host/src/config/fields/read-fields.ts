// Checks each field of one entry by itself. An unknown key is a warning and the entry still counts; a wrong
// type makes the entry unusable. Whether the fields fit together is decided once all sources are merged
// (compose-entry.ts).

import { isObject } from '@plugboard/base';
import { type Finding, nameProblem, type ShapeProblem } from '../text/index.ts';
import {
  ENTRY_FIELDS,
  type EntryFields,
  entryShape,
  FIELD_KEYS,
  type FieldKey,
} from './entry-fields.ts';
import { unknownKeys } from './unknown-keys.ts';

export interface ReadFields {
  /** The known fields. Absent exactly if a finding is an error. */
  readonly fields?: EntryFields;
  readonly findings: readonly Finding[];
}

export function readFields(value: unknown): ReadFields {
  if (!isObject(value)) return { findings: [NOT_AN_OBJECT] };
  const strangers = unknownKeys(value);
  const typed = withType(value);
  const problems = entryShape.problems(typed);
  if (problems.length > 0) return { findings: [...strangers, ...problems.map(wrongField)] };
  const fields: Partial<Record<FieldKey, unknown>> = {};
  FIELD_KEYS.forEach((key) => {
    if (typed[key] !== undefined) fields[key] = typed[key];
  });
  // Without a problem, it has the type of its shape.
  return { fields: fields as EntryFields, findings: strangers };
}

const NOT_AN_OBJECT: Finding = {
  severity: 'error',
  code: 'wrong-type',
  path: [],
  on: 'value',
  message: 'The entry of a server must be an object.',
  suggestion: 'Write it like { "command": "npx", "args": ["-y", "some-package"] }.',
};

/** Other hosts write `transport` for our `type`. */
function withType(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { type, transport } = value;
  return type === undefined && transport !== undefined ? { ...value, type: transport } : value;
}

function wrongField(problem: ShapeProblem): Finding {
  const { path } = problem;
  const field = FIELD_KEYS.find((key) => key === path[0]);
  const example = field === undefined ? '{ "command": "npx" }' : ENTRY_FIELDS[field].example;
  const { on, code, reason } = nameProblem(problem);
  return {
    severity: 'error',
    code,
    path,
    on,
    message: `${reason}.`,
    suggestion: `Write it like ${example}.`,
  };
}
