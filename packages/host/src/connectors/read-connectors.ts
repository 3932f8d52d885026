// Reads the connectors of a file: addresses that list remote servers for an account. Each is checked like the
// entry of a remote server. Only files of the user and of the machine's owner may name one: a repository must
// not decide where the user's credentials are sent.

import { getNodeValue } from '#jsonc-parser';
import { isObject } from '@plugboard/base';
import {
  type Author,
  CONNECTORS_KEY,
  connectorShape,
  type Diagnostic,
  type EntryPlace,
  type Finding,
  isForeign,
  isNamePart,
  locate,
  type Lookup,
  misplacedDiagnostic,
  type Origin,
  placesIn,
  plainName,
  propertiesOf,
  type Property,
  propertyNamed,
  readEntry,
  type Resolution,
  resolveEntry,
  type Scope,
  type SettingsText,
  shorten,
  type StartFolders,
} from '../config/index.ts';

export interface ConfiguredConnector {
  readonly name: string;
  readonly scope: Scope;
  readonly origin: Origin;
  /** An entry with the transport `http`. */
  readonly resolved: Resolution;
}

export interface ReadConnectors {
  readonly connectors: readonly ConfiguredConnector[];
  readonly diagnostics: readonly Diagnostic[];
}

interface ConnectorText {
  readonly settings: SettingsText;
  readonly scope: Scope;
  readonly author: Author;
  readonly folder: string;
  readonly lookup: Lookup;
  readonly folders: StartFolders;
}

/** Never throws. */
export function readConnectors(text: ConnectorText): ReadConnectors {
  const { settings, author } = text;
  const written = propertyNamed(settings.root, CONNECTORS_KEY);
  if (written === undefined) return { connectors: [], diagnostics: [] };
  const at = settings.at(written.key.offset);
  if (isForeign(author)) {
    return { connectors: [], diagnostics: [misplacedDiagnostic(`"${CONNECTORS_KEY}"`, at)] };
  }
  const read = propertiesOf(written.value).map((property) => readConnector(property, text));
  const isObjectNode = written.value?.type === 'object';
  const wrong = isObjectNode ? [] : [notAnObject(at)];
  return {
    connectors: read.flatMap(({ connector }) => connector ?? []),
    diagnostics: [...wrong, ...read.flatMap(({ diagnostics }) => diagnostics)],
  };
}

function readConnector(
  property: Property,
  { settings: { at }, scope, folder, lookup, folders }: ConnectorText,
): { readonly connector?: ConfiguredConnector; readonly diagnostics: readonly Diagnostic[] } {
  const { name } = property;
  const place = { server: name, ...placesIn(property, at) };
  const value: unknown = property.value && getNodeValue(property.value);
  if (!isObject(value)) return { diagnostics: [placed(NO_OBJECT, place)] };
  const { entry, findings } = readEntry(asEntry(value));
  const all = [...nameFindings(name), ...unknownKeys(value), ...findings];
  const diagnostics = all.map((finding) => placed(finding, place));
  if (entry === undefined || all.some(({ severity }) => severity === 'error')) {
    return { diagnostics };
  }
  const origin: Origin = { kind: 'file', ...place.keyAt([]) };
  const resolved = resolveEntry({
    entry,
    place,
    folderOf: () => folder,
    lookup,
    starts: { by: () => ({ scope, origin }), folders },
  });
  if (resolved.kind === 'ready' && resolved.secrets?.some(({ field }) => field === 'url')) {
    return { diagnostics: [...diagnostics, placed(SECRET_URL, place)] };
  }
  const unresolved = resolved.kind === 'ready' ? [] : resolved.diagnostics.map(withoutServer);
  return {
    connector: { name, scope, origin, resolved },
    diagnostics: [...diagnostics, ...unresolved],
  };
}

const EXAMPLE = '"acme": { "url": "https://acme.example/servers" }';

const NO_OBJECT: Finding = {
  severity: 'error',
  code: 'wrong-type',
  path: [],
  on: 'value',
  message: 'A connector must be an object.',
  suggestion: `Write it like ${EXAMPLE}.`,
};

/** The stored list is found by the address, which must be known without reading secrets. */
const SECRET_URL: Finding = {
  severity: 'error',
  code: 'bad-value',
  path: ['url'],
  on: 'value',
  message: 'The "url" of a connector cannot hold a secret.',
  suggestion: 'Put the secret into "headers".',
};

const FIELDS: readonly string[] = connectorShape.keys;

/** A connector as the entry of an HTTP server, with which it shares its fields. */
function asEntry(value: Record<string, unknown>): object {
  const known = Object.entries(value).filter(([key]) => FIELDS.includes(key));
  return Object.fromEntries([...known, ['type', 'http']]);
}

function placed(finding: Finding, place: EntryPlace): Diagnostic {
  return withoutServer(locate(finding, place));
}

/** A connector is not a server, but a server may have the same name. */
function withoutServer({ server: _, ...diagnostic }: Diagnostic): Diagnostic {
  return diagnostic;
}

function unknownKeys(value: Record<string, unknown>): readonly Finding[] {
  return Object.keys(value)
    .filter((key) => !FIELDS.includes(key))
    .map((key) => ({
      severity: 'warning',
      code: 'unknown-key',
      path: [key],
      on: 'key',
      message: `"${shorten(key)}" is not a field of a connector and has no effect.`,
      suggestion: `Remove it. The fields here are: ${FIELDS.join(', ')}.`,
    }));
}

function nameFindings(name: string): readonly Finding[] {
  if (isNamePart(name)) return [];
  const plain = plainName(name);
  return [
    {
      severity: 'error',
      code: 'bad-name',
      path: [],
      on: 'key',
      message: `${JSON.stringify(shorten(name))} cannot be the name of a connector.`,
      suggestion: `Use 1 to 64 of the characters A-Z a-z 0-9 _ -${plain === '' ? '' : `, for example "${plain}"`}.`,
    },
  ];
}

function notAnObject(at: ReturnType<SettingsText['at']>): Diagnostic {
  return {
    severity: 'error',
    code: 'wrong-type',
    message: `"${CONNECTORS_KEY}" must be an object.`,
    suggestion: `Write it like "${CONNECTORS_KEY}": { ${EXAMPLE} }.`,
    ...at,
  };
}
