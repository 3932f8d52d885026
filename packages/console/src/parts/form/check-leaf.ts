// Checks a value without its parts, and describes its constraints. Patterns are left to the server: a hostile pattern can take
// forever, and the page has one thread. Pure.

import {
  canonicalJson,
  demandOf,
  fieldProblem,
  FORMAT_WORDS,
  type Json,
  type TextFormat,
} from '@plugboard/base';
import type { SchemaNode, TypeName } from './schema-node.ts';

const TYPE_WORDS: Readonly<Record<TypeName, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'null',
};

export function typeWords(types: readonly TypeName[]): string {
  return types.map((type) => TYPE_WORDS[type]).join(' or ');
}

function typeOf(value: Json): TypeName {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object';
}

export function isOfType(value: Json, types: readonly TypeName[]): boolean {
  const type = typeOf(value);
  if (types.length === 0 || types.includes(type)) return true;
  return type === 'number' && types.includes('integer') && Number.isInteger(value);
}

function textProblem({ bounds, format }: SchemaNode, value: string): string | undefined {
  const problem = fieldProblem(
    {
      kind: 'text',
      name: '',
      title: '',
      description: undefined,
      isRequired: true,
      default: undefined,
      soundsSecret: false,
      minLength: bounds.minLength,
      maxLength: bounds.maxLength,
      format: knownFormat(format),
    },
    value,
  );
  return problem === undefined ? undefined : `Must be ${demandOf(problem)}.`;
}

export function numberProblem(node: SchemaNode, value: number): string | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = node.bounds;
  if (!node.types.includes('number') && !Number.isInteger(value)) return 'Must be a whole number.';
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return 'Is too large to be sent exactly.';
  }
  if (minimum !== undefined && value < minimum) return `Must be at least ${minimum}.`;
  if (maximum !== undefined && value > maximum) return `Must be at most ${maximum}.`;
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) {
    return `Must be more than ${exclusiveMinimum}.`;
  }
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) {
    return `Must be less than ${exclusiveMaximum}.`;
  }
  if (multipleOf === undefined || multipleOf === 0) return undefined;
  const ratio = value / multipleOf;
  return Math.abs(ratio - Math.round(ratio)) > 1e-9
    ? `Must be a multiple of ${multipleOf}.`
    : undefined;
}

function listProblem({ bounds, isUnique }: SchemaNode, items: readonly Json[]): string | undefined {
  const { minItems, maxItems } = bounds;
  if (minItems !== undefined && items.length < minItems) return `Must have at least ${minItems}.`;
  if (maxItems !== undefined && items.length > maxItems) return `Must have at most ${maxItems}.`;
  if (!isUnique || items.length > 1000) return undefined;
  const different = new Set(items.map((item) => canonicalJson(item)));
  return different.size < items.length ? 'Must not contain an item twice.' : undefined;
}

/** The problem of a value with a schema node, without its parts. */
export function ownProblem(node: SchemaNode, value: Json): string | undefined {
  if (node.isImpossible) return 'No value is allowed here.';
  if (value === null && node.isNullable) return undefined;
  if (node.values !== undefined) {
    const text = canonicalJson(value);
    const isAllowed = node.values.some((one) => canonicalJson(one) === text);
    return isAllowed ? undefined : 'Must be one of the values that are allowed.';
  }
  if (!isOfType(value, node.types)) return `Must be ${typeWords(node.types)}.`;
  if (typeof value === 'string') return textProblem(node, value);
  if (typeof value === 'number') return numberProblem(node, value);
  return Array.isArray(value) ? listProblem(node, value as readonly Json[]) : undefined;
}

/** The constraints of a value besides its type. */
export function hintOf({ bounds, format, pattern, isUnique }: SchemaNode): string | undefined {
  const known = knownFormat(format);
  const hints = [
    known === undefined ? format : FORMAT_WORDS[known],
    range(bounds.minLength, bounds.maxLength, 'characters'),
    range(bounds.minimum, bounds.maximum, ''),
    bounds.exclusiveMinimum === undefined ? undefined : `more than ${bounds.exclusiveMinimum}`,
    bounds.exclusiveMaximum === undefined ? undefined : `less than ${bounds.exclusiveMaximum}`,
    bounds.multipleOf === undefined ? undefined : `a multiple of ${bounds.multipleOf}`,
    range(bounds.minItems, bounds.maxItems, 'items'),
    isUnique ? 'each once' : undefined,
    pattern === undefined ? undefined : `matches ${pattern}`,
  ].filter((hint) => hint !== undefined);
  return hints.length === 0 ? undefined : hints.join(' · ');
}

function range(from: number | undefined, to: number | undefined, what: string): string | undefined {
  const unit = what === '' ? '' : ` ${what}`;
  if (from !== undefined && to !== undefined) return `${from} to ${to}${unit}`;
  if (from !== undefined) return from === 0 && unit !== '' ? undefined : `at least ${from}${unit}`;
  return to === undefined ? undefined : `at most ${to}${unit}`;
}

function knownFormat(format: string | undefined): TextFormat | undefined {
  return format !== undefined && Object.hasOwn(FORMAT_WORDS, format)
    ? (format as TextFormat)
    : undefined;
}
