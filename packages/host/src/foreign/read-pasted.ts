// Reads one server as people copy it from a page: its entry alone, `"name": { … }`, or a whole block with
// "mcpServers". Every problem has its line and column in the given text.

import { err, ok, type Result } from '@plugboard/base';
import { createScanner, getNodeValue } from '#jsonc-parser';
import type { Node } from 'jsonc-parser';
import {
  type Diagnostic,
  entryFindings,
  locate,
  MAX_DEPTH,
  parseDocument,
  placesIn,
  placesOf,
  type Position,
  propertiesOf,
  type Property,
  propertyNamed,
  SERVERS_KEY,
  syntaxMessage,
} from '../config/index.ts';

export interface PastedText {
  readonly text: string;
  /** The name for the server. If the text has several servers, the one with this name is read. */
  readonly name: string;
  /** The name of the text in positions, in place of a file. */
  readonly source: string;
}

export interface PastedServer {
  readonly entry: Readonly<Record<string, unknown>>;
  readonly warnings: readonly Diagnostic[];
}

export type PasteProblem =
  | { readonly kind: 'unreadable'; readonly diagnostic: Diagnostic }
  | { readonly kind: 'several'; readonly names: readonly string[] }
  | { readonly kind: 'invalid-entry'; readonly diagnostics: readonly Diagnostic[] };

/** Never throws. */
export function readPasted(pasted: PastedText): Result<PastedServer, PasteProblem> {
  const parsed = parse(pasted);
  if (!parsed.ok) return parsed;
  const { root, at } = parsed.value;
  const found = findServer(parsed.value, pasted.name);
  if (!found.ok) return found;
  const property = found.value;
  if (property === undefined) return unreadable(NO_SERVER, at(root.offset));
  const value: unknown = property.value && getNodeValue(property.value);
  const place = { server: pasted.name, ...placesIn(property, at) };
  const diagnostics = entryFindings(pasted.name, value).map((finding) => locate(finding, place));
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) return err({ kind: 'invalid-entry', diagnostics: errors });
  // Without an error, it is an object.
  return ok({ entry: value as PastedServer['entry'], warnings: diagnostics });
}

interface Tree {
  readonly root: Node;
  readonly at: (offset: number) => Position;
  /** Whether the braces around the text were added. */
  readonly isWrapped: boolean;
}

function parse({ text, source }: PastedText): Result<Tree, PasteProblem> {
  const isWrapped = firstToken(text) === '"';
  // The brace is on its own line, since the last line may end in a comment.
  const document = parseDocument(isWrapped ? `{${text}\n}` : text);
  const placeOf = placesOf(text);
  const at = (offset: number): Position => {
    const own = Math.min(Math.max(0, isWrapped ? offset - 1 : offset), text.length);
    return { file: source, ...placeOf(own) };
  };
  if (document.kind === 'empty') return unreadable(NO_SERVER, at(0));
  if (document.kind === 'too-deep') return unreadable(TOO_DEEP, at(document.offset));
  const { root, problems } = document;
  const [first] = problems;
  if (first !== undefined) {
    return unreadable({ code: 'syntax', ...syntaxMessage(first.kind) }, at(first.offset));
  }
  if (root?.type !== 'object') return unreadable(NOT_AN_OBJECT, at(root?.offset ?? 0));
  return ok({ root, at, isWrapped });
}

/** The server to read; `undefined` if the text has none. */
function findServer(
  { root, isWrapped }: Tree,
  name: string,
): Result<Property | undefined, PasteProblem> {
  const block = propertyNamed(root, SERVERS_KEY) ?? propertyNamed(root, 'servers');
  if (block === undefined && !isWrapped && !isMap(root)) {
    return ok({ name, node: root, key: root, value: root });
  }
  const map = block === undefined ? root : block.value;
  const names = [...new Set(propertiesOf(map).map((property) => property.name))];
  const [only = name] = names;
  if (names.length < 2 || names.includes(name)) {
    return ok(propertyNamed(map, names.length < 2 ? only : name));
  }
  return err({ kind: 'several', names });
}

/** Whether the text is a bare map of servers: `{ "name": { "command": … } }`. */
function isMap(root: Node): boolean {
  const properties = propertiesOf(root);
  return properties.length > 0 && properties.every(({ value }) => isEntry(value));
}

function isEntry(node: Node | undefined): boolean {
  return ['command', 'url'].some((key) => propertyNamed(node, key)?.value?.type === 'string');
}

function firstToken(text: string): string | undefined {
  const scanner = createScanner(text, true);
  scanner.scan();
  return text[scanner.getTokenOffset()];
}

type DiagnosticText = Pick<Diagnostic, 'code' | 'message' | 'suggestion'>;

const EXAMPLE = 'Write it like { "command": "npx", "args": ["-y", "some-package"] }.';
const NO_SERVER: DiagnosticText = {
  code: 'bad-value',
  message: 'There is no server in it.',
  suggestion: EXAMPLE,
};
const NOT_AN_OBJECT: DiagnosticText = {
  code: 'wrong-type',
  message: 'The entry of a server must be an object.',
  suggestion: EXAMPLE,
};
const TOO_DEEP: DiagnosticText = {
  code: 'too-deep',
  message: `It is nested more than ${MAX_DEPTH} levels deep.`,
  suggestion: 'Look for brackets that are opened again and again.',
};

function unreadable(words: DiagnosticText, at: Position): Result<never, PasteProblem> {
  return err({ kind: 'unreadable', diagnostic: { severity: 'error', ...words, ...at } });
}
