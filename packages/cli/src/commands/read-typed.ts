// Reads what the user typed as the value of a field: choices by number or word, yes and no, numbers. An empty line
// takes the default, or leaves out an optional field.

import { err, type Json, ok, type Result } from '@plugboard/base';
import { type FieldProblem, fieldProblem, type FormField } from '@plugboard/host';

/** Nothing: the field is left out. */
export function readTyped(field: FormField, typed: string): Result<Json | undefined, FieldProblem> {
  const text = typed.trim();
  if (text === '') {
    const isLeftOut = field.default === undefined;
    return isLeftOut && field.isRequired ? err({ kind: 'missing' }) : ok(field.default);
  }
  const value = valueOf(field, text);
  if (!value.ok) return value;
  const problem = fieldProblem(field, value.value);
  return problem === undefined ? value : err(problem);
}

function valueOf(field: FormField, text: string): Result<Json, FieldProblem> {
  switch (field.kind) {
    case 'text':
      return ok(text);
    case 'number':
      return DECIMAL.test(text) ? ok(Number(text)) : err({ kind: 'wrong-type', wanted: 'number' });
    case 'boolean': {
      const isYes = YES.test(text);
      const isClear = isYes || NO.test(text);
      return isClear ? ok(isYes) : err({ kind: 'wrong-type', wanted: 'boolean' });
    }
    case 'choice':
      return ok(chosen(field, text));
    case 'choices':
      return ok(
        text
          .split(',')
          .map((one) => one.trim())
          .filter((one) => one !== '')
          .map((one) => chosen(field, one)),
      );
    default:
      return field satisfies never;
  }
}

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const YES = /^(?:y|yes|true|1)$/i;
const NO = /^(?:n|no|false|0)$/i;

type Choice = Extract<FormField, { readonly kind: 'choice' | 'choices' }>;

/** By its number, as it is shown; else by its value or title. What is none of them is left as it is. */
function chosen({ options }: Choice, text: string): string {
  const byNumber = /^\d+$/.test(text) ? options[Number(text) - 1] : undefined;
  const byWord = options.find(
    ({ value, title }) => value === text || title.toLowerCase() === text.toLowerCase(),
  );
  return (byNumber ?? byWord)?.value ?? text;
}
