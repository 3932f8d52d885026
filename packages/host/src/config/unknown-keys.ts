// Keys of an entry that mean nothing to us. Each is worth a warning, with what was probably meant:
// a key that is silently ignored is a setting that its owner believes to be in force.

import { isObject } from '@plugboard/base';
import { closestName } from './closest-name.ts';
import {
  FIELD_KEYS,
  type FieldKey,
  outputShape,
  permissionsShape,
  resultLimitsShape,
  reconnectShape,
  samplingShape,
  toolsShape,
} from './entry-shape.ts';
import { type FieldPath, fieldName } from './field-path.ts';
import type { Finding } from './finding.ts';

export function unknownKeys(entry: Readonly<Record<string, unknown>>): readonly Finding[] {
  const own = strangersIn(entry, FIELD_KEYS, []);
  const nested = NESTED.filter(([key]) => entry[key] !== undefined);
  if (nested.length === 0) return own;
  return [
    ...own,
    ...nested.flatMap(([key, known]) => strangersIn(entry[key], known, [key])),
    ...strangersByTool(entry['output']),
  ];
}

function strangersByTool(output: unknown): readonly Finding[] {
  const tools = isObject(output) && isObject(output['tools']) ? output['tools'] : {};
  return Object.entries(tools).flatMap(([name, limits]) =>
    strangersIn(limits, resultLimitsShape.keys, ['output', 'tools', name]),
  );
}

const NESTED: readonly (readonly [FieldKey, readonly string[]])[] = [
  ['reconnect', reconnectShape.keys],
  ['tools', toolsShape.keys],
  ['permissions', permissionsShape.keys],
  ['output', outputShape.keys],
  ['sampling', samplingShape.keys],
];

/** What other hosts call a field of ours, where the spelling alone would not lead there. */
const FOREIGN_KEYS: ReadonlyMap<string, FieldKey> = new Map([
  ['transport', 'type'],
  ['enabled', 'disabled'],
  ['environment', 'env'],
  ['httpUrl', 'url'],
  ['serverUrl', 'url'],
  ['httpHeaders', 'headers'],
  ['workingDirectory', 'cwd'],
]);

function strangersIn(
  container: unknown,
  known: readonly string[],
  path: FieldPath,
): readonly Finding[] {
  if (!isObject(container)) return [];
  return Object.keys(container)
    .filter((key) => !known.includes(key))
    .map((key) => unknownKey([...path, key], known));
}

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
