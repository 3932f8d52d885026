// Finds unknown keys of an entry, and suggests what was probably meant. Each is a warning: if a key were
// silently ignored, its author would believe that it has an effect.

import { isObject } from '@plugboard/base';
import {
  type AnyShape,
  closestName,
  fieldName,
  type FieldPath,
  type Finding,
} from '../text/index.ts';
import { entryShape, type FieldKey } from './entry-fields.ts';

export function unknownKeys(entry: Readonly<Record<string, unknown>>): readonly Finding[] {
  return unknownKeysIn(entry, entryShape, []);
}

/** Names of our fields in other hosts whose spelling is too different for a suggestion. */
const FOREIGN_KEYS: ReadonlyMap<string, FieldKey> = new Map([
  ['transport', 'type'],
  ['enabled', 'disabled'],
  ['environment', 'env'],
  ['httpUrl', 'url'],
  ['serverUrl', 'url'],
  ['httpHeaders', 'headers'],
  ['workingDirectory', 'cwd'],
]);

/** The keys that the shape does not have, including those of nested objects. */
function unknownKeysIn(value: unknown, { form }: AnyShape, path: FieldPath): readonly Finding[] {
  if (!isObject(value)) return NONE;
  if (form.kind === 'flag-or') return unknownKeysIn(value, form.item, path);
  if (form.kind === 'map') {
    return Object.keys(value).flatMap((key) =>
      unknownKeysIn(value[key], form.item, [...path, key]),
    );
  }
  if (form.kind !== 'fields') return NONE;
  const { shapes } = form;
  const known = Object.keys(shapes);
  return Object.keys(value).flatMap((key) => {
    const shape = Object.hasOwn(shapes, key) ? shapes[key] : undefined;
    const at = [...path, key];
    return shape === undefined ? [unknownKey(at, known)] : unknownKeysIn(value[key], shape, at);
  });
}

const NONE: readonly Finding[] = [];

function unknownKey(path: FieldPath, known: readonly string[]): Finding {
  const key = String(path.at(-1));
  const foreign = path.length === 1 ? FOREIGN_KEYS.get(key) : undefined;
  const meant = foreign ?? closestName(key, known);
  return {
    severity: 'warning',
    code: 'unknown-key',
    path,
    on: 'key',
    message:
      foreign === 'type'
        ? '"transport" is the word of other hosts for "type".'
        : `"${fieldName(path)}" is not a field of an entry and has no effect.`,
    suggestion:
      meant === undefined
        ? `Remove it. The fields here are: ${known.join(', ')}.`
        : `Use "${meant}" instead${key === 'enabled' ? ', with the opposite value' : ''}.`,
  };
}
