// Parses the input of a user as the value of a field: choices by number or word, yes and no, numbers. Pure.

import { type FieldProblem, fieldProblem } from './check-form.ts';
import type { ChoiceField, ChoicesField, InputField } from './form-field.ts';
import type { Json } from './json.ts';
import { err, ok, type Result } from './result.ts';

/** An empty line stands for the default, or leaves out an optional field. */
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

/** Text that cannot be parsed as a value of the field stays text, which the check of the field rejects. */
export function parseTyped(field: InputField, text: string): Json {
  switch (field.kind) {
    case 'text':
    case 'path':
      return text;
    case 'number':
      return DECIMAL.test(text.trim()) ? Number(text) : text;
    case 'boolean':
      if (YES.test(text)) return true;
      return NO.test(text) ? false : text;
    case 'choice':
      return optionFor(field, text);
    case 'choices':
      return text
        .split(',')
        .map((one) => one.trim())
        .filter((one) => one !== '')
        .map((one) => optionFor(field, one));
    case 'paths':
      return [text];
    default:
      return field satisfies never;
  }
}

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const YES = /^(?:y|yes|true|1)$/i;
const NO = /^(?:n|no|false|0)$/i;

/** The option with this number, value or title; other text stays as it is. */
function optionFor({ options }: ChoiceField | ChoicesField, text: string): string {
  const byNumber = /^\d+$/.test(text) ? options[Number(text) - 1] : undefined;
  const byWord = options.find(
    ({ value, title }) => value === text || title.toLowerCase() === text.toLowerCase(),
  );
  return (byNumber ?? byWord)?.value ?? text;
}
