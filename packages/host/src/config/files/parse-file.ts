// Reads the servers that a file declares, each with its place, and the problems of the file.
//
// A file with a syntax error still contributes the servers whose own text has no error, as long as the braces
// match. After a superfluous "}" it is unknown which server lost a part (it may have been `"disabled":
// true`), so then no server of the file is used.

import type { Node } from 'jsonc-parser';
import { settingsShape } from '../settings/index.ts';
import {
  closestName,
  type Diagnostic,
  type FieldPath,
  lastOfEach,
  MAX_DEPTH,
  type ParsedDocument,
  parseDocument,
  placesIn,
  placesOf,
  type Position,
  propertiesOf,
  type Property,
  propertyNamed,
  type SettingsText,
  shorten,
  syntaxMessage,
  type SyntaxProblem,
  nodeValue,
  type FileFormat,
} from '../text/index.ts';

export interface WrittenServer {
  readonly name: string;
  /** As written; not checked. */
  readonly value: unknown;
  readonly keyAt: (path: FieldPath) => Position;
  readonly valueAt: (path: FieldPath) => Position;
  /** The syntax error inside the server, if any; then `value` is not reliable. */
  readonly broken?: Diagnostic;
}

interface Findings {
  readonly servers: readonly WrittenServer[];
  /** About the file; a syntax error in one server is with that server. */
  readonly diagnostics: readonly Diagnostic[];
  /** The settings beside the servers; absent for a bare map of servers. */
  readonly settings?: SettingsText;
}

export type ParsedFile =
  | (Findings & {
      readonly state: 'read';
      readonly root: Node;
      /** The object that contains the servers, if any. */
      readonly map: Node | undefined;
    })
  | (Findings & { readonly state: 'invalid'; readonly cause: Diagnostic });

export interface FileText {
  readonly path: string;
  readonly format: FileFormat;
  readonly text: string;
}

/** Never throws. */
export function parseFile(file: FileText): ParsedFile {
  const document = parseDocument(file.text);
  const at = positions(file);
  switch (document.kind) {
    case 'empty':
      return invalid({
        severity: 'warning',
        code: 'file-empty',
        message: 'The file is empty.',
        suggestion: 'Write { "mcpServers": {} } into it, or delete it.',
        ...at(0),
      });
    case 'too-deep':
      return invalid({
        severity: 'error',
        code: 'too-deep',
        message: `The file is nested more than ${MAX_DEPTH} levels deep.`,
        suggestion: 'Look for brackets that are opened again and again.',
        ...at(document.offset),
      });
    case 'tree':
      return readTree({ ...document, file, at });
    default:
      return document satisfies never;
  }
}

/** The map from names to entries, in either form of file. */
function serverMap(root: Node, format: FileFormat): Property | 'bare' | undefined {
  const wrapped = propertyNamed(root, SERVERS_KEY);
  if (wrapped !== undefined) return wrapped;
  if (format !== 'mcp-json') return undefined;
  const others = propertiesOf(root).filter(({ name }) => name !== SCHEMA_KEY);
  return others.length === 0 || others.some(isMisspeltMap) ? undefined : 'bare';
}

export const SERVERS_KEY = 'mcpServers';
export const CONNECTORS_KEY = 'connectors';
const SCHEMA_KEY = '$schema';
const SETTINGS: ReadonlySet<string> = new Set(settingsShape.keys);

/** Whether a key of a file is one of our settings. */
export function isSetting(name: string): boolean {
  return SETTINGS.has(name);
}

type Tree = Extract<ParsedDocument, { readonly kind: 'tree' }> & {
  readonly file: FileText;
  readonly at: (offset: number) => Position;
};

function readTree(tree: Tree): ParsedFile {
  const { file, at, root, problems } = tree;
  const [first] = problems;
  const isUncertain = problems.some(({ kind }) => kind === 'EndOfFileExpected');
  if (first !== undefined && (isUncertain || root?.type !== 'object')) {
    return invalid(syntaxDiagnostic(first, at));
  }
  if (root?.type !== 'object') return invalid(notAnObject(at(root?.offset ?? 0), 'The file'));
  const map = serverMap(root, file.format);
  const mapNode = map === 'bare' ? root : map?.value;
  if (map !== undefined && mapNode?.type !== 'object' && first === undefined) {
    return invalid(notAnObject(at(mapNode?.offset ?? 0), `"${SERVERS_KEY}"`));
  }
  const declared = propertiesOf(mapNode).filter(
    ({ name }) => map !== 'bare' || name !== SCHEMA_KEY,
  );
  const isLastSetting = map === 'bare' || map?.node === propertiesOf(root).at(-1)?.node;
  const suspect = isLastSetting ? declared.at(-1) : undefined;
  const servers = lastOfEach(declared).map((property) =>
    writtenServer(property, { at, problem: problemIn(property, suspect, problems) }),
  );
  const diagnostics = [
    ...fileSyntax(servers, tree),
    ...(map === 'bare' ? [] : unknownTopLevelKeys(root, tree)),
    ...duplicates(root, tree),
  ];
  const found = { servers, diagnostics, ...(map === 'bare' ? {} : { settings: { root, at } }) };
  if (first === undefined) return { state: 'read', ...found, root, map: mapNode };
  return { state: 'invalid', ...found, cause: syntaxDiagnostic(first, at) };
}

/** Whether a key was meant to be "mcpServers": `{ "servers": { "a": {…} } }` does not declare a server "servers". */
function isMisspeltMap({ name, value }: Property): boolean {
  const inner = propertiesOf(value);
  const holdsEntries = inner.length > 0 && inner.every((entry) => entry.value?.type === 'object');
  return holdsEntries && isLikeServersKey(name);
}

function isLikeServersKey(name: string): boolean {
  return closestName(name, [SERVERS_KEY, 'servers']) !== undefined;
}

/**
 * The error that makes a server unusable. If a brace is missing, the following braces close the wrong
 * objects, and the parser notices it only at the end of the file: the last server may contain what was meant
 * to follow it.
 */
function problemIn(
  property: Property,
  suspect: Property | undefined,
  problems: readonly SyntaxProblem[],
): SyntaxProblem | undefined {
  const { offset, length } = property.node;
  // A name without a value ends just before what should have been its colon.
  const end = offset + length + (property.value === undefined ? 1 : 0);
  const isInside = (problem: SyntaxProblem): boolean =>
    offset <= problem.offset && problem.offset < end;
  const inside = problems.find(isInside);
  return inside ?? (property === suspect ? problems.find(isUnclosed) : undefined);
}

function isUnclosed({ kind }: SyntaxProblem): boolean {
  return kind === 'CloseBraceExpected' || kind === 'CloseBracketExpected';
}

function writtenServer(
  property: Property,
  { at, problem }: { readonly at: Tree['at']; readonly problem: SyntaxProblem | undefined },
): WrittenServer {
  const { name, value } = property;
  const places = placesIn(property, at);
  if (problem === undefined) return { name, value: value && nodeValue(value), ...places };
  const broken = { ...syntaxDiagnostic(problem, at), server: name };
  return { name, value: undefined, ...places, broken };
}

/** A syntax error outside of all servers. One message is enough to find the place. */
function fileSyntax(
  servers: readonly WrittenServer[],
  { problems, at }: Tree,
): readonly Diagnostic[] {
  const [first] = problems;
  const isInServer = servers.some(({ broken }) => broken !== undefined);
  return first === undefined || isInServer ? [] : [syntaxDiagnostic(first, at)];
}

function syntaxDiagnostic(problem: SyntaxProblem, at: Tree['at']): Diagnostic {
  return {
    severity: 'error',
    code: 'syntax',
    ...syntaxMessage(problem.kind),
    ...at(problem.offset),
  };
}

function unknownTopLevelKeys(root: Node, { file, at }: Tree): readonly Diagnostic[] {
  if (file.format === 'claude') return [];
  return propertiesOf(root)
    .filter(({ name }) => !isSetting(name))
    .map(({ name, key }) => ({
      severity: 'warning',
      code: 'unknown-key',
      message: `"${shorten(name)}" is not a setting and has no effect.`,
      suggestion: isLikeServersKey(name)
        ? `Use "${SERVERS_KEY}" instead.`
        : `Remove it. If it is a server, move it into "${SERVERS_KEY}".`,
      ...at(key.offset),
    }));
}

/** Warns about each key, anywhere in the file, that a later key of the same name overrides. */
function duplicates(node: Node, tree: Tree): readonly Diagnostic[] {
  if (tree.keys === 'unique') return [];
  if (tree.file.format === 'claude') {
    const servers = propertyNamed(node, SERVERS_KEY)?.value;
    return servers === undefined ? [] : duplicatesBelow(servers, tree.at);
  }
  return duplicatesBelow(node, tree.at);
}

function duplicatesBelow(node: Node, at: Tree['at']): readonly Diagnostic[] {
  const properties = propertiesOf(node);
  const last = new Map(properties.map((property) => [property.name, property]));
  const own = properties
    .filter((property) => last.get(property.name) !== property)
    .map(({ name, key }): Diagnostic => {
      const line = at(last.get(name)?.key.offset ?? 0).line;
      return {
        severity: 'warning',
        code: 'duplicate-key',
        message: `"${shorten(name)}" is written again at line ${line}, so this one has no effect.`,
        suggestion: 'Remove one of them.',
        ...at(key.offset),
      };
    });
  const below =
    (node.type === 'object' ? properties.map(({ value }) => value) : node.children) ?? [];
  return [...own, ...below.flatMap((child) => (child ? duplicatesBelow(child, at) : []))];
}

function positions({ path, text }: FileText): (offset: number) => Position {
  const placeOf = placesOf(text);
  return (offset) => ({ file: path, ...placeOf(offset) });
}

function notAnObject(at: Position, what: string): Diagnostic {
  return {
    severity: 'error',
    code: 'wrong-type',
    message: `${what} must be an object.`,
    suggestion: `Write it like { "${SERVERS_KEY}": { "name": { "command": "npx" } } }.`,
    ...at,
  };
}

function invalid(diagnostic: Diagnostic): ParsedFile {
  return { state: 'invalid', servers: [], diagnostics: [diagnostic], cause: diagnostic };
}
