// Reads what a user typed as the value of a field: choices by number or word, yes and no, numbers. Pure.

import { type FieldProblem, fieldProblem } from './check-form.ts';
import type { ChoiceField, ChoicesField, InputField } from './form-field.ts';
import type { Json } from './json.ts';
import { err, ok, type Result } from './result.ts';

/** An empty line takes the default, or leaves out an optional field: then there is no value. */
export function readTyped(
  field: InputField,
  typed: string,
): Result<Json | undefined, FieldProblem> {
  if (typed.trim() === '') {
    const isLeftOut = field.default === undefined;
    return isLeftOut && field.isRequired ? err({ kind: 'missing' }) : ok(field.default);
  }
  // Spaces can be part of a password.
  const isExact = field.kind === 'text' && field.soundsSecret;
  const value = parseTyped(field, isExact ? typed : typed.trim());
  const problem = fieldProblem(field, value);
  return problem === undefined ? ok(value) : err(problem);
}

/** What cannot be read as a value of the field stays text, and the check of the field rejects it. */
export function parseTyped(field: InputField, text: string): Json {
  switch (field.kind) {
    case 'text':
    case 'path':
      return text;
    case 'number':
      return DECIMAL.test(text.trim()) ? Number(text) : text;
    case 'boolean':
      return YES.test(text) ? true : NO.test(text) ? false : text;
    case 'choice':
      return chosen(field, text);
    case 'choices':
      return text
        .split(',')
        .map((one) => one.trim())
        .filter((one) => one !== '')
        .map((one) => chosen(field, one));
    case 'paths':
      return [text];
    default:
      return field satisfies never;
  }
}

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const YES = /^(?:y|yes|true|1)$/i;
const NO = /^(?:n|no|false|0)$/i;

/** By its number, as it is shown; otherwise by its value or title. What is none of them is left as it is. */
function chosen({ options }: ChoiceField | ChoicesField, text: string): string {
  const byNumber = /^\d+$/.test(text) ? options[Number(text) - 1] : undefined;
  const byWord = options.find(
    ({ value, title }) => value === text || title.toLowerCase() === text.toLowerCase(),
  );
  return (byNumber ?? byWord)?.value ?? text;
}
