// Reads the schema of a form: a flat object of strings, numbers, booleans and choices, as the protocol allows.
// Any other schema is refused without asking the user. Unknown keywords are left to the server. Also detects words that ask
// for a secret, which servers must not do: the input passes through the host and may be kept in its records. Pure.

import {
  err,
  fieldProblem,
  type FormField,
  isObject,
  ok,
  type Option,
  type Result,
  soundsSecret,
  type TextFormat,
} from '@plugboard/base';
import { shownLine, shownText } from './shown-text.ts';

/** No user fills in longer forms or reads longer texts. */
const MAX_FIELDS = 50;
const MAX_OPTIONS = 200;
const MAX_NAME = 200;
const MAX_VALUE = 2000;
const TITLE_LENGTH = 200;
const DESCRIPTION_LENGTH = 500;

type ReadResult<T> = Result<T, string>;
type RawField = Readonly<Record<string, unknown>>;

/** Returns the fields, or the problem of the schema. */
export function readForm(schema: unknown): ReadResult<readonly FormField[]> {
  if (!isObject(schema) || schema['type'] !== 'object') return err('the form is not an object');
  const { properties, required = [] } = schema;
  if (!isObject(properties)) return err('the form has no properties');
  if (!isTexts(required)) return err('"required" is not a list of names');
  const entries = Object.entries(properties);
  if (entries.length > MAX_FIELDS) return err(`the form has more than ${MAX_FIELDS} fields`);
  const fields: FormField[] = [];
  for (const [name, raw] of entries) {
    const field = readField(name, raw, required);
    if (!field.ok) return err(`field ${JSON.stringify(shownLine(name, 50))}: ${field.error}`);
    fields.push(field.value);
  }
  const stranger = required.find((name) => !Object.hasOwn(properties, name));
  return stranger === undefined ? ok(fields) : err('a field is required that is not there');
}

function readField(name: string, raw: unknown, required: readonly string[]): ReadResult<FormField> {
  if (!isObject(raw)) return err('is not described');
  if (name === '' || name === '__proto__' || name.length > MAX_NAME) return err('has a bad name');
  const { title, description } = raw;
  const facts = {
    name,
    title: (typeof title === 'string' ? shownLine(title, TITLE_LENGTH) : '') || shownName(name),
    description:
      typeof description === 'string' ? shownText(description, DESCRIPTION_LENGTH) : undefined,
    isRequired: required.includes(name),
  };
  switch (raw['type']) {
    case 'string':
      return isChoice(raw) ? choiceField(facts, raw) : textField(facts, raw);
    case 'number':
    case 'integer':
      return numberField(facts, raw);
    case 'boolean': {
      const given = raw['default'];
      return ok({
        ...facts,
        kind: 'boolean',
        default: typeof given === 'boolean' ? given : undefined,
      });
    }
    case 'array':
      return choicesField(facts, raw);
    default:
      return err('is neither a text, a number, a boolean nor a choice');
  }
}

type FieldFacts = Pick<FormField, 'name' | 'title' | 'description' | 'isRequired'>;

function textField(facts: FieldFacts, raw: RawField): ReadResult<FormField> {
  const bounds = readBounds(raw, ['minLength', 'maxLength']);
  if (!bounds.ok) return bounds;
  const [minLength, maxLength] = bounds.value;
  const format = FORMATS.find((known) => known === raw['format']);
  const { name, title, description = '' } = facts;
  const isSecret =
    raw['format'] === 'password' ||
    namesSecret(name) ||
    mentionsSecret(title) ||
    mentionsSecret(description);
  const field = {
    ...facts,
    kind: 'text',
    format,
    minLength,
    maxLength,
    soundsSecret: isSecret,
  } as const;
  return withDefault({ ...field, default: undefined }, raw, isText);
}

const FORMATS: readonly TextFormat[] = ['email', 'uri', 'date', 'date-time'];

function numberField(facts: FieldFacts, raw: RawField): ReadResult<FormField> {
  const { minimum, maximum } = raw;
  for (const bound of [minimum, maximum]) {
    if (bound !== undefined && !isNumber(bound)) return err('has a bound that is not a number');
  }
  if (isNumber(minimum) && isNumber(maximum) && minimum > maximum) return err('allows no number');
  const field = {
    ...facts,
    kind: 'number',
    isInteger: raw['type'] === 'integer',
    minimum: isNumber(minimum) ? minimum : undefined,
    maximum: isNumber(maximum) ? maximum : undefined,
  } as const;
  return withDefault({ ...field, default: undefined }, raw, isNumber);
}

function isChoice(raw: RawField): boolean {
  return raw['enum'] !== undefined || raw['oneOf'] !== undefined;
}

function choiceField(facts: FieldFacts, raw: RawField): ReadResult<FormField> {
  const options = readOptions(raw['oneOf'], raw['enum'], raw['enumNames']);
  if (!options.ok) return options;
  const field = { ...facts, kind: 'choice', options: options.value, default: undefined } as const;
  return withDefault(field, raw, isText);
}

function choicesField(facts: FieldFacts, raw: RawField): ReadResult<FormField> {
  const { items } = raw;
  if (!isObject(items)) return err('is a list, and does not say of what');
  const options = readOptions(items['anyOf'] ?? items['oneOf'], items['enum'], undefined);
  if (!options.ok) return options;
  const bounds = readBounds(raw, ['minItems', 'maxItems']);
  if (!bounds.ok) return bounds;
  const [minItems, maxItems] = bounds.value;
  if ((minItems ?? 0) > options.value.length) return err('wants more than there is to choose');
  const field = { ...facts, kind: 'choices', options: options.value, minItems, maxItems } as const;
  return withDefault({ ...field, default: undefined }, raw, isTexts);
}

/** Titled as in the current protocol, plain, or with the separate names of an older revision. */
function readOptions(
  titled: unknown,
  plain: unknown,
  names: unknown,
): ReadResult<readonly Option[]> {
  const options =
    titled === undefined
      ? plainOptions(plain, Array.isArray(names) ? (names as readonly unknown[]) : [])
      : titledOptions(titled);
  if (options === undefined || options.length === 0) return err('does not say what to choose from');
  if (options.length > MAX_OPTIONS) return err(`has more than ${MAX_OPTIONS} choices`);
  if (options.some(({ value }) => value.length > MAX_VALUE)) return err('has an endless choice');
  const isTwice = new Set(options.map(({ value }) => value)).size < options.length;
  return isTwice ? err('has a choice twice') : ok(options);
}

function plainOptions(raw: unknown, names: readonly unknown[]): readonly Option[] | undefined {
  if (!isTexts(raw)) return undefined;
  return raw.map((value, index) => optionOf(value, names[index]));
}

function titledOptions(raw: unknown): readonly Option[] | undefined {
  if (!Array.isArray(raw)) return undefined;
  const options = (raw as readonly unknown[]).flatMap((one) =>
    isObject(one) && isText(one['const']) ? [optionOf(one['const'], one['title'])] : [],
  );
  return options.length === raw.length ? options : undefined;
}

function optionOf(value: string, title: unknown): Option {
  const shown = isText(title) ? shownLine(title, TITLE_LENGTH) : '';
  return { value, title: shown || shownName(value) };
}

/** A name or value with invisible characters is shown by its code points: it must not pass for another. */
function shownName(name: string): string {
  const line = shownLine(name, TITLE_LENGTH);
  return line === name
    ? line
    : JSON.stringify(name)
        .replaceAll(/[^ -~]/gu, unicodeEscape)
        .slice(0, TITLE_LENGTH);
}

function unicodeEscape(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** Ignores a default that the field itself would refuse. */
function withDefault(
  field: FormField,
  raw: RawField,
  isRight: (value: unknown) => boolean,
): ReadResult<FormField> {
  const given = raw['default'];
  if (given === undefined || !isRight(given)) return ok(field);
  // Of the right type, as `isRight` checks, and within the bounds of the field.
  return ok(
    fieldProblem(field, given as string) === undefined
      ? ({ ...field, default: given } as FormField)
      : field,
  );
}

type Bounds = readonly [least: number | undefined, most: number | undefined];

function readBounds(raw: RawField, [low, high]: readonly [string, string]): ReadResult<Bounds> {
  const least = raw[low];
  const most = raw[high];
  if (!isCount(least) || !isCount(most)) return err('has a bound that is not a count');
  return (least ?? 0) > (most ?? Number.POSITIVE_INFINITY)
    ? err('allows nothing at all')
    : ok([least, most]);
}

function isCount(value: unknown): value is number | undefined {
  return value === undefined || (Number.isSafeInteger(value) && (value as number) >= 0);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}

/** A heuristic for a warning; nothing may depend on it. For running text, in which `soundsSecret`, which is made for names, would find too much. */
const WORDS =
  /\b(?:passwords?|passwd|passphrase|passcode|pass ?word|secret|api[ -_]?keys?|access[ -_]?keys?|private[ -_]?keys?|(?:access|auth|authentication|bearer|refresh|api|session|personal|github|gitlab)[ -_]?tokens?|tokens?|credentials?|one[ -]?time (?:code|password)|otp|2fa|mfa|cvv|cvc|(?:credit )?card number|seed phrase|recovery (?:code|phrase)|pin(?: code)?)\b/iu;

export function namesSecret(name: string): boolean {
  return soundsSecret(name) || mentionsSecret(name.replaceAll(/[_-]/g, ' '));
}

export function mentionsSecret(text: string): boolean {
  return WORDS.test(text);
}
