// One entry, as someone wrote it, into a checked server of one kind. A key that is not known is a
// warning and the entry still counts; a wrong type or a contradiction makes it unusable. Names,
// variables and other entries are not looked at here.

import { isObject } from '@plugboard/base';
import { checkUrl } from './check-url.ts';
import { decideKind, unusedKeys } from './entry-kind.ts';
import {
  type EntryFields,
  entryShape,
  EXAMPLES,
  FIELD_KEYS,
  reconnectShape,
  toolsShape,
} from './entry-shape.ts';
import { hasPlaceholder } from './expand.ts';
import { fieldName } from './field-path.ts';
import type { Finding } from './finding.ts';
import type { CommonFields, ServerEntry } from './server-entry.ts';
import type { ShapeProblem } from './shape.ts';
import { unknownKeys } from './unknown-keys.ts';

export interface ReadEntry {
  /** Absent exactly when a finding is an error. */
  readonly entry?: ServerEntry;
  readonly findings: readonly Finding[];
}

export function readEntry(value: unknown): ReadEntry {
  if (!isObject(value)) return { findings: [NOT_AN_OBJECT] };
  const strangers = unknownKeys(value);
  const typed = withType(value);
  const problems = entryShape.problems(typed, []);
  if (problems.length > 0) return { findings: [...strangers, ...problems.map(wrongField)] };
  // Nothing is wrong with it, so it has the type of its shape.
  const fields = typed as EntryFields;
  const kind = decideKind(fields);
  if (!kind.ok) return { findings: [...strangers, kind.error] };
  const entry = assemble(kind.value, fields);
  const wrongUrl = urlFinding(entry);
  if (wrongUrl !== undefined) return { findings: [...strangers, wrongUrl] };
  return { entry, findings: [...strangers, ...unusedKeys(kind.value, fields)] };
}

const NOT_AN_OBJECT: Finding = {
  severity: 'error',
  code: 'wrong-type',
  path: [],
  on: 'value',
  message: 'The entry of a server must be an object.',
  suggestion: 'Write it like { "command": "npx", "args": ["-y", "some-package"] }.',
};

/** Other hosts write `transport` where we write `type`; what is meant is clear. */
function withType(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { type, transport } = value;
  return type === undefined && transport !== undefined ? { ...value, type: transport } : value;
}

function wrongField({ kind, path, words }: ShapeProblem): Finding {
  const field = FIELD_KEYS.find((key) => key === path[0]);
  const example = field === undefined ? '{ "command": "npx" }' : EXAMPLES[field];
  const finding = { severity: 'error', path, suggestion: `Write it like ${example}.` } as const;
  if (kind === 'bad-key') {
    const message = `"${fieldName(path.slice(0, -1))}" ${words}.`;
    return { ...finding, code: 'bad-value', on: 'key', message };
  }
  return { ...finding, code: kind, on: 'value', message: `"${fieldName(path)}" ${words}.` };
}

function urlFinding(entry: ServerEntry): Finding | undefined {
  // With a variable in it, it can only be judged once that is filled in.
  if (!('url' in entry) || hasPlaceholder(entry.url)) return undefined;
  return checkUrl(entry.url, entry.kind);
}

function assemble(kind: ServerEntry['kind'], fields: EntryFields): ServerEntry {
  const common = commonFields(fields);
  if (kind === 'sdk') return { kind, ...common };
  if (kind === 'stdio') {
    const { command = '', args = [], env = {}, cwd, envFile } = fields;
    return { kind, command, args, env, ...present({ cwd, envFile }), ...common };
  }
  const { url = '', headers = {}, headersHelper, oauth } = fields;
  return { kind, url, headers, ...present({ headersHelper, oauth }), ...common };
}

function commonFields(fields: EntryFields): CommonFields {
  const { timeout, connectTimeout, permissions, lifecycle, protocol, reconnect, tools } = fields;
  return {
    disabled: fields.disabled ?? false,
    required: fields.required ?? false,
    alwaysLoad: fields.alwaysLoad ?? false,
    ...present({ timeout, connectTimeout, permissions, lifecycle, protocol }),
    ...present({
      reconnect: reconnect && present(pick(reconnect, reconnectShape.keys)),
      tools: tools && present(pick(tools, toolsShape.keys)),
    }),
  };
}

/** The same object without the fields that nobody asked for. */
function pick<T extends object>(from: T, keys: readonly (keyof T & string)[]): T {
  // Every field of T may be left out, so what is left is still a T.
  return Object.fromEntries(keys.map((key) => [key, from[key]])) as T;
}

/** The same object without the fields that are undefined. */
function present<T extends object>(fields: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  // Only fields of T are left, and none of them is undefined.
  return Object.fromEntries(entries) as { [Key in keyof T]?: Exclude<T[Key], undefined> };
}
