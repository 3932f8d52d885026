// What kind of server the fields of an entry make, or why they make none.

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
import { ENTRY_TYPES } from './launch-fields.ts';
import type { RemoteEntry, ServerEntry } from './server-entry.ts';

type Kind = ServerEntry['kind'];

/** `type` decides where it is given; else a command is started and a url is called. */
export function decideKind({
  type,
  command,
  url,
}: Pick<EntryFields, 'type' | 'command' | 'url'>): Result<Kind, Finding> {
  if (command !== undefined && url !== undefined) {
    return contradiction(
      'It has both a "command" and a "url".',
      'Keep "command" for a server to start here, or "url" for one that runs elsewhere.',
    );
  }
  if (type !== undefined) return kindOfType({ type, command, url });
  if (command !== undefined) return ok('stdio');
  if (url !== undefined) return ok('http-or-sse');
  return contradiction(
    'It has neither a "command" nor a "url".',
    `Add one of them: ${ENTRY_FIELDS.command.example}, or ${ENTRY_FIELDS.url.example}.`,
  );
}

/** Fields that are given and belong to another kind of server. */
export function unusedKeys(kind: Kind, fields: StatedFields): readonly Finding[] {
  return FIELD_KEYS.filter((key) => fields[key] !== undefined)
    .filter((key) => !hasEffect(key, kind, fields))
    .map((key) => ({
      severity: 'warning',
      code: 'unused-key',
      path: [key],
      on: 'key',
      message: `"${key}" has no effect on ${describe(kind)}.`,
      suggestion: 'Remove it.',
    }));
}

type StatedFields = Readonly<Partial<Record<FieldKey, unknown>>>;

/** Whether a field means something for a server of this kind, with what else is stated of it. */
export function hasEffect(key: FieldKey, kind: Kind, fields: StatedFields = {}): boolean {
  const { of, alsoWith } = rowOf(key);
  if (of === undefined || of === (isRemote(kind) ? 'remote' : kind)) return true;
  return isFieldKey(alsoWith) && fields[alsoWith] !== undefined && hasEffect(alsoWith, kind);
}

function isRemote(kind: Kind): kind is RemoteEntry['kind'] {
  return kind !== 'stdio' && kind !== 'sdk';
}

const TYPES: ReadonlyMap<string, Kind> = new Map(Object.entries(ENTRY_TYPES));

interface TypedEntry {
  readonly type: string;
  readonly command: string | undefined;
  readonly url: string | undefined;
}

function kindOfType({ type, command, url }: TypedEntry): Result<Kind, Finding> {
  const kind = TYPES.get(type);
  if (kind === undefined) return err(unknownType(type));
  if (kind === 'stdio' && command === undefined) {
    return contradiction(
      'It has no "command", which the type "stdio" needs.',
      url === undefined
        ? `Add one: ${ENTRY_FIELDS.command.example}.`
        : 'Remove "type", or set it to "http".',
    );
  }
  if (isRemote(kind) && url === undefined) {
    return contradiction(
      `It has no "url", which the type "${type}" needs.`,
      command === undefined
        ? `Add one: ${ENTRY_FIELDS.url.example}.`
        : 'Remove "type", or set it to "stdio".',
    );
  }
  return ok(kind);
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
  const known = [...TYPES.keys()];
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

function describe(kind: Kind): string {
  if (kind === 'stdio') return 'a server started by a command';
  return kind === 'sdk' ? 'a server supplied by the program' : 'a server reached by url';
}
