// The connectors that a file names: addresses that list remote servers for an account. Each is checked
// as a server reached by url would be. Only files of the person and of the machine's owner may name one:
// what a repository could have brought must not choose whom our credentials are sent to.

import { getNodeValue } from 'jsonc-parser';
import { isObject } from '@plugboard/base';
import type { Diagnostic } from './diagnostic.ts';
import { nodesAt, propertiesOf, type Property, propertyNamed } from './document.ts';
import type { Lookup } from './expand.ts';
import { type EntryPlace, type Finding, locate } from './finding.ts';
import type { SettingsText } from './parse-file.ts';
import { readEntry } from './read-entry.ts';
import { type Resolution, resolveEntry } from './resolve-entry.ts';
import type { Origin, Scope } from './scope.ts';
import { PLAIN_NAME_PATTERN, plainName } from './server-name.ts';

export const CONNECTORS_KEY = 'connectors';

export interface ConfiguredConnector {
  readonly name: string;
  readonly scope: Scope;
  readonly origin: Origin;
  /** Its entry is one reached by http. */
  readonly resolved: Resolution;
}

export interface ReadConnectors {
  readonly connectors: readonly ConfiguredConnector[];
  readonly diagnostics: readonly Diagnostic[];
}

interface ConnectorText {
  readonly settings: SettingsText;
  readonly scope: Scope;
  readonly folder: string;
  readonly lookup: Lookup;
}

/** Never throws. */
export function readConnectors(text: ConnectorText): ReadConnectors {
  const { settings, scope } = text;
  const written = propertyNamed(settings.root, CONNECTORS_KEY);
  if (written === undefined) return { connectors: [], diagnostics: [] };
  if (scope !== 'user' && scope !== 'enterprise') {
    return { connectors: [], diagnostics: [misplaced(settings.at(written.key.offset))] };
  }
  const read = propertiesOf(written.value).map((property) => readConnector(property, text));
  const isObjectNode = written.value?.type === 'object';
  const wrong = isObjectNode ? [] : [notAnObject(settings.at(written.key.offset))];
  return {
    connectors: read.flatMap(({ connector }) => connector ?? []),
    diagnostics: [...wrong, ...read.flatMap(({ diagnostics }) => diagnostics)],
  };
}

function readConnector(
  property: Property,
  { settings: { at }, scope, folder, lookup }: ConnectorText,
): { readonly connector?: ConfiguredConnector; readonly diagnostics: readonly Diagnostic[] } {
  const { name } = property;
  const place: EntryPlace = {
    server: name,
    keyAt: (path) => at(nodesAt(property, path).key.offset),
    valueAt: (path) => at(nodesAt(property, path).value.offset),
  };
  const value: unknown = property.value && getNodeValue(property.value);
  const { entry, findings } = readEntry(isObject(value) ? { ...value, type: 'http' } : value);
  const all = [...nameFindings(name), ...strangers(value), ...findings];
  const diagnostics = all.map((finding) => locate(finding, place));
  if (entry === undefined || all.some(({ severity }) => severity === 'error')) {
    return { diagnostics };
  }
  const resolved = resolveEntry({ entry, place, folderOf: () => folder, lookup });
  const origin: Origin = { kind: 'file', ...place.keyAt([]) };
  const unresolved = resolved.kind === 'ready' ? [] : resolved.diagnostics;
  return {
    connector: { name, scope, origin, resolved },
    diagnostics: [...diagnostics, ...unresolved],
  };
}

const FIELDS = ['url', 'headers', 'headersHelper'];

function strangers(value: unknown): readonly Finding[] {
  if (!isObject(value)) return [];
  return Object.keys(value)
    .filter((key) => !FIELDS.includes(key))
    .map((key) => ({
      severity: 'error',
      code: 'unknown-key',
      path: [key],
      on: 'key',
      message: `A connector has no "${key}".`,
      suggestion: `Remove it. The fields here are: ${FIELDS.join(', ')}.`,
    }));
}

function nameFindings(name: string): readonly Finding[] {
  if (PLAIN_NAME_PATTERN.test(name)) return [];
  const plain = plainName(name);
  return [
    {
      severity: 'error',
      code: 'bad-name',
      path: [],
      on: 'key',
      message: `${JSON.stringify(name.slice(0, 80))} cannot be the name of a connector.`,
      suggestion: `Use 1 to 64 of the characters A-Z a-z 0-9 _ -${plain === '' ? '' : `, for example "${plain}"`}.`,
    },
  ];
}

function misplaced(at: ReturnType<SettingsText['at']>): Diagnostic {
  return {
    severity: 'warning',
    code: 'unused-key',
    message: `"${CONNECTORS_KEY}" has no effect in a file that may have come with a project.`,
    suggestion: 'Move it into your own settings: plugboard config path --scope user',
    ...at,
  };
}

function notAnObject(at: ReturnType<SettingsText['at']>): Diagnostic {
  return {
    severity: 'error',
    code: 'wrong-type',
    message: `"${CONNECTORS_KEY}" must be an object.`,
    suggestion: `Write it like "${CONNECTORS_KEY}": { "acme": { "url": "https://acme.example/servers" } }.`,
    ...at,
  };
}
