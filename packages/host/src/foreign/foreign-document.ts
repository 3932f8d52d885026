// Reads the servers of another host's file, each with its place, and the other settings of the file. JSON may contain
// comments; the library for TOML is loaded on demand. Nothing throws, and no key of the text can affect a prototype.

import { isObject, messageOf } from '@plugboard/base';
import type { Node } from 'jsonc-parser';
import {
  type Diagnostic,
  lastOfEach,
  MAX_DEPTH,
  parseDocument,
  placesOf,
  type Position,
  propertiesOf,
  propertyNamed,
  syntaxMessage,
} from '../config/index.ts';
import type { ForeignEntry, ForeignPath } from './hosts/foreign-host.ts';

export interface PlacedEntry extends ForeignEntry {
  readonly at: Position;
}

export type ForeignDocument =
  | { readonly kind: 'read'; readonly entries: readonly PlacedEntry[] }
  | { readonly kind: 'invalid'; readonly diagnostic: Diagnostic };

export interface ForeignText {
  readonly file: ForeignPath;
  readonly text: string;
  /** The paths to the objects that map names to entries. */
  readonly serverMaps: readonly (readonly string[])[];
}

export function readForeignText(source: ForeignText): Promise<ForeignDocument> {
  return source.file.syntax === 'toml' ? readToml(source) : Promise.resolve(readJson(source));
}

function readJson({ file, text, serverMaps }: ForeignText): ForeignDocument {
  const placeOf = placesOf(text);
  const at = (offset: number): Position => ({ file: file.path, ...placeOf(offset) });
  const document = parseDocument(text);
  // Some hosts create an empty file.
  if (document.kind === 'empty') return { kind: 'read', entries: [] };
  if (document.kind === 'too-deep') return invalid('too-deep', TOO_DEEP, at(document.offset));
  const [problem] = document.problems;
  if (problem !== undefined) {
    return invalid('syntax', syntaxMessage(problem.kind), at(problem.offset));
  }
  const { root } = document;
  const setting = (key: string): unknown => plainNodeValue(propertyNamed(root, key)?.value);
  const entries = serverMaps
    .flatMap((path) => lastOfEach(propertiesOf(nodeAt(root, path))))
    .map(({ name, key, value }) => ({
      name,
      value: plainNodeValue(value),
      setting,
      at: at(key.offset),
    }));
  return { kind: 'read', entries };
}

const TOO_DEEP = {
  message: `The file is nested more than ${MAX_DEPTH} levels deep.`,
  suggestion: 'Look for brackets that are opened again and again.',
};

function nodeAt(root: Node | undefined, path: readonly string[]): Node | undefined {
  return path.reduce<Node | undefined>((node, key) => propertyNamed(node, key)?.value, root);
}

/** Every key becomes an own property, even `__proto__`. */
function plainNodeValue(node: Node | undefined): unknown {
  if (node?.type === 'array') return (node.children ?? []).map(plainNodeValue);
  if (node?.type !== 'object') return node?.value;
  return Object.fromEntries(
    propertiesOf(node).map(({ name, value }) => [name, plainNodeValue(value)]),
  );
}

async function readToml({ file, text, serverMaps }: ForeignText): Promise<ForeignDocument> {
  const { parse, TomlError } = await import('smol-toml');
  let root: unknown;
  try {
    root = parse(text, { unsafeKeyBehaviour: 'drop', maxDepth: MAX_DEPTH });
  } catch (thrown) {
    // The message quotes the text, which may contain a secret.
    const { line, column } = thrown instanceof TomlError ? thrown : { line: 1, column: 1 };
    const words = thrown instanceof TomlError ? NOT_TOML : unreadable(messageOf(thrown));
    return invalid('syntax', words, { file: file.path, line, column });
  }
  const setting = (key: string): unknown => ownOf(root, key);
  const lines = text.split(/\r\n|\r|\n/);
  const entries = serverMaps.flatMap((path) => {
    const map = path.reduce(ownOf, root);
    if (!isObject(map)) return [];
    return Object.entries(map).map(([name, value]) => ({
      name,
      value,
      setting,
      at: { file: file.path, line: tableLine(lines, [...path, name]), column: 1 },
    }));
  });
  return { kind: 'read', entries };
}

const NOT_TOML = {
  message: 'This is not valid TOML.',
  suggestion: 'Check the text around this place.',
};

function unreadable(reason: string): typeof NOT_TOML {
  return { message: `The file cannot be read as TOML: ${reason}.`, suggestion: 'Check the file.' };
}

function ownOf(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Finds the line with the title of a table, since the parser returns no positions; 1 if there is none. */
function tableLine(lines: readonly string[], path: readonly string[]): number {
  const wanted = path.join('.');
  const index = lines.findIndex((line) => {
    const title = /^\s*\[([^\]]*)\]/.exec(line)?.[1];
    const plain = title?.replaceAll(/["'\s]/g, '');
    return plain === wanted || plain?.startsWith(`${wanted}.`) === true;
  });
  return Math.max(index, 0) + 1;
}

function invalid(
  code: 'syntax' | 'too-deep',
  words: { readonly message: string; readonly suggestion: string },
  at: Position,
): ForeignDocument {
  return { kind: 'invalid', diagnostic: { severity: 'error', code, ...words, ...at } };
}
