// Checks an answer against its form. Pure.

import type { FormField, InputField, TextField, TextFormat } from './form-field.ts';
import { isUrl } from './is-url.ts';
import type { Json } from './json.ts';
import { err, ok, type Result } from './result.ts';

export type FieldProblem =
  | { readonly kind: 'missing' }
  | { readonly kind: 'wrong-type'; readonly wanted: WantedType }
  | { readonly kind: 'too-short' | 'too-long'; readonly limit: number }
  | { readonly kind: 'too-small' | 'too-large'; readonly limit: number }
  | { readonly kind: 'too-few' | 'too-many'; readonly limit: number }
  | { readonly kind: 'wrong-format'; readonly format: TextFormat }
  | { readonly kind: 'not-offered' | 'chosen-twice'; readonly value: string }
  /** The form has no such field. */
  | { readonly kind: 'unknown-field' };

export type WantedType = InputField['kind'] | 'integer';

export interface AnswerIssue {
  readonly field: string;
  readonly problem: FieldProblem;
}

type Content = Readonly<Record<string, Json>>;

/** The answer, completed with defaults, or all its issues. */
export function checkAnswer(
  fields: readonly FormField[],
  given: Content,
): Result<Content, readonly AnswerIssue[]> {
  const known = new Set(fields.map(({ name }) => name));
  const issues: AnswerIssue[] = Object.keys(given)
    .filter((name) => !known.has(name))
    .map((field) => ({ field, problem: { kind: 'unknown-field' } }));
  const content: Record<string, Json> = {};
  for (const field of fields) {
    const { name } = field;
    const value: Json | undefined = Object.hasOwn(given, name) ? given[name] : field.default;
    if (value === undefined) {
      if (field.isRequired) issues.push({ field: name, problem: { kind: 'missing' } });
      continue;
    }
    const problem = fieldProblem(field, value);
    if (problem === undefined) content[name] = value;
    else issues.push({ field: name, problem });
  }
  return issues.length === 0 ? ok(content) : err(issues);
}

/** The problem with one value, if there is one. */
export function fieldProblem(field: InputField, value: Json): FieldProblem | undefined {
  switch (field.kind) {
    case 'text':
      return typeof value === 'string' ? textProblem(field, value) : wrongType('text');
    case 'number': {
      if (typeof value !== 'number' || !Number.isFinite(value)) return wrongType('number');
      if (field.isInteger && !Number.isInteger(value)) return wrongType('integer');
      const { minimum, maximum } = field;
      if (minimum !== undefined && value < minimum) return { kind: 'too-small', limit: minimum };
      return maximum !== undefined && value > maximum
        ? { kind: 'too-large', limit: maximum }
        : undefined;
    }
    case 'boolean':
      return typeof value === 'boolean' ? undefined : wrongType('boolean');
    case 'choice':
      if (typeof value !== 'string') return wrongType('choice');
      return isOffered(field, value) ? undefined : { kind: 'not-offered', value };
    case 'choices':
      return choicesProblem(field, value);
    case 'path':
      return isPath(value) ? undefined : wrongType('path');
    case 'paths':
      return Array.isArray(value) && value.every(isPath) ? undefined : wrongType('paths');
    default:
      return field satisfies never;
  }
}

function textProblem(field: TextField, value: string): FieldProblem | undefined {
  const { minLength, maxLength, format } = field;
  // Schemas count characters, not UTF-16 units.
  const length = Array.from(value).length;
  if (minLength !== undefined && length < minLength) return { kind: 'too-short', limit: minLength };
  if (maxLength !== undefined && length > maxLength) return { kind: 'too-long', limit: maxLength };
  if (format === undefined || isInFormat(value, format)) return undefined;
  return { kind: 'wrong-format', format };
}

type Choices = Extract<FormField, { readonly kind: 'choices' }>;

function choicesProblem(field: Choices, value: Json): FieldProblem | undefined {
  if (!Array.isArray(value)) return wrongType('choices');
  const { minItems, maxItems } = field;
  const chosen = new Set<string>();
  for (const one of value as readonly Json[]) {
    if (typeof one !== 'string') return wrongType('choices');
    if (!isOffered(field, one)) return { kind: 'not-offered', value: one };
    if (chosen.has(one)) return { kind: 'chosen-twice', value: one };
    chosen.add(one);
  }
  if (minItems !== undefined && chosen.size < minItems) return { kind: 'too-few', limit: minItems };
  return maxItems !== undefined && chosen.size > maxItems
    ? { kind: 'too-many', limit: maxItems }
    : undefined;
}

function isOffered({ options }: Pick<Choices, 'options'>, value: string): boolean {
  return options.some((option) => option.value === value);
}

function isPath(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && !value.includes('\0');
}

function wrongType(wanted: WantedType): FieldProblem {
  return { kind: 'wrong-type', wanted };
}

const EMAIL = /^[^\s@<>"]{1,64}@[^\s@<>".]+(?:\.[^\s@<>".]+)*$/u;
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const DATE_TIME =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

function isInFormat(value: string, format: TextFormat): boolean {
  switch (format) {
    case 'email':
      return value.length <= 320 && EMAIL.test(value);
    case 'uri':
      return /^[a-z][a-z\d+.-]*:[^\s<>"{}|\\^`]+$/i.test(value) && isUrl(value);
    case 'date':
      return isDate(value);
    case 'date-time':
      return isDate(DATE_TIME.exec(value)?.[1] ?? '');
    default:
      return format satisfies never;
  }
}

/** Whether the day exists in the calendar. */
function isDate(value: string): boolean {
  const [, year, month, day] = DATE.exec(value) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  const time = Date.UTC(Number(year), Number(month) - 1, Number(day));
  return Number(day) > 0 && Number(month) > 0 && isSameDay(time, Number(month), Number(day));
}

function isSameDay(time: number, month: number, day: number): boolean {
  const date = new Date(time);
  return date.getUTCMonth() + 1 === month && date.getUTCDate() === day;
}

/** What the answer must be instead, as words that can follow "must be". */
export function demandOf(problem: FieldProblem): string {
  switch (problem.kind) {
    case 'missing':
      return 'given';
    case 'wrong-type':
      return TYPES[problem.wanted];
    case 'too-short':
      return problem.limit === 1 ? 'text, and not empty' : `at least ${problem.limit} characters`;
    case 'too-long':
      return `at most ${problem.limit} characters`;
    case 'too-small':
      return `at least ${problem.limit}`;
    case 'too-large':
      return `at most ${problem.limit}`;
    case 'too-few':
      return `at least ${problem.limit} of them`;
    case 'too-many':
      return `at most ${problem.limit} of them`;
    case 'wrong-format':
      return FORMAT_WORDS[problem.format];
    case 'not-offered':
    case 'chosen-twice':
      return 'one of the choices, each once';
    case 'unknown-field':
      return 'left out';
    default:
      return problem satisfies never;
  }
}

const TYPES: Readonly<Record<WantedType, string>> = {
  text: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'yes or no',
  choice: 'one of the numbers',
  choices: 'numbers with commas between',
  path: 'a path',
  paths: 'a list of paths',
};

export const FORMAT_WORDS: Readonly<Record<TextFormat, string>> = {
  email: 'an e-mail address',
  uri: 'an address such as https://example.com/',
  date: 'a date such as 2026-01-31',
  'date-time': 'a time such as 2026-01-31T12:00:00Z',
};
