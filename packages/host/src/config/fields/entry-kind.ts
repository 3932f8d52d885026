// Decides which kind of server the fields of an entry define, or why they define none.

import { err, ok, type Result } from '@plugboard/base';
import { closestName, type Finding } from '../text/index.ts';
import {
  ENTRY_FIELDS,
  type EntryFields,
  FIELD_KEYS,
  type FieldKey,
  isFieldKey,
  rowOf,
} from './entry-fields.ts';
import { ALL_TRANSPORTS, type Transport, type TransportKind, transportOf } from './transports.ts';

/** `type` decides if it is given; otherwise a `command` means a local server and a `url` a remote one. */
export function decideKind(
  fields: Pick<EntryFields, 'type' | 'command' | 'url'>,
): Result<TransportKind, Finding> {
  const implied = ALL_TRANSPORTS.filter(
    (each) => each.isImplied === true && hasRequiredField(each, fields),
  );
  if (implied.length > 1) {
    return contradiction(
      'It has both a "command" and a "url".',
      'Keep "command" for a server to start here, or "url" for one that runs elsewhere.',
    );
  }
  const [given] = implied;
  if (fields.type !== undefined) return kindOfType(fields.type, fields, given);
  if (given !== undefined) return ok(given.kind);
  return contradiction(
    'It has neither a "command" nor a "url".',
    `Add one of them: ${ENTRY_FIELDS.command.example}, or ${ENTRY_FIELDS.url.example}.`,
  );
}

/** Warns about fields that belong to another kind of server. */
export function unusedKeys(kind: TransportKind, fields: StatedFields): readonly Finding[] {
  return FIELD_KEYS.filter((key) => fields[key] !== undefined)
    .filter((key) => !hasEffect(key, kind, fields))
    .map((key) => ({
      severity: 'warning',
      code: 'unused-key',
      path: [key],
      on: 'key',
      message: `"${key}" has no effect on ${transportOf(kind).about}.`,
      suggestion: 'Remove it.',
    }));
}

type StatedFields = Readonly<Partial<Record<FieldKey, unknown>>>;

/** Whether a field has an effect on a server of this kind with these fields. */
export function hasEffect(key: FieldKey, kind: TransportKind, fields: StatedFields = {}): boolean {
  const { of, alsoWith } = rowOf(key);
  if (of === undefined || of === transportOf(kind).form) return true;
  return isFieldKey(alsoWith) && fields[alsoWith] !== undefined && hasEffect(alsoWith, kind);
}

function hasRequiredField({ needs }: Transport, fields: StatedFields): boolean {
  return needs !== undefined && fields[needs] !== undefined;
}

/** `given` is the transport that the other fields imply. */
function kindOfType(
  type: string,
  fields: StatedFields,
  given: Transport | undefined,
): Result<TransportKind, Finding> {
  const named = ALL_TRANSPORTS.find(({ types }) => types.includes(type));
  if (named === undefined) return err(unknownType(type));
  const { kind, needs } = named;
  if (needs === undefined || hasRequiredField(named, fields)) return ok(kind);
  const fitting = ALL_TRANSPORTS.find(({ form }) => form === given?.form);
  return contradiction(
    `It has no "${needs}", which the type "${type}" needs.`,
    fitting === undefined
      ? `Add one: ${ENTRY_FIELDS[needs].example}.`
      : `Remove "type", or set it to "${fitting.types[0]}".`,
  );
}

function contradiction(message: string, suggestion: string): Result<never, Finding> {
  return err({
    severity: 'error',
    code: 'command-or-url',
    path: [],
    on: 'key',
    message,
    suggestion,
  });
}

function unknownType(type: string): Finding {
  const known = ALL_TRANSPORTS.flatMap(({ types }) => types);
  const meant = closestName(type, known);
  return {
    severity: 'error',
    code: 'bad-value',
    path: ['type'],
    on: 'value',
    message: '"type" is not a kind of server that is known.',
    suggestion:
      meant === undefined ? `Use one of: ${known.join(', ')}.` : `Use "type": "${meant}" instead.`,
  };
}
