// Parses the arguments of a call from words of a command line: `key=text`, `key:=json`, `key=@file`, `key:=@file`, or one
// JSON object. A text becomes a number, a boolean, a list or an object if the tool does not accept text.

import { resolve } from 'node:path';
import { isObject, type Json, type JsonObject, parseJson } from '@plugboard/base';
import { type FileProblem, readTextFile } from '@plugboard/host/configuration';
import { UsageError } from '../usage-error.ts';
import { typesOfArgument } from './argument-types.ts';

export interface GivenArgument {
  readonly key: string;
  readonly value:
    | { readonly kind: 'text'; readonly text: string }
    | { readonly kind: 'json'; readonly json: Json };
}

const MAX_FILE_BYTES = 64 * 1024 * 1024;
const MAX_DEPTH = 200;

export async function parseArguments(words: readonly string[]): Promise<readonly GivenArgument[]> {
  const given = (await Promise.all(words.map(argumentsIn))).flat();
  const seen = new Set<string>();
  for (const { key } of given) {
    if (seen.has(key)) throw new UsageError(`"${key}" is given twice`, 'give it once');
    seen.add(key);
  }
  return given;
}

/** A word that begins with a brace is JSON, since no key begins with one. */
async function argumentsIn(word: string): Promise<readonly GivenArgument[]> {
  return /^\s*\{/.test(word) ? argumentsInJson(word) : [await parseArgument(word)];
}

/** Each property of one JSON object is an argument. */
export function argumentsInJson(text: string): readonly GivenArgument[] {
  const json = parseJson(text, { maxLength: MAX_FILE_BYTES, maxDepth: MAX_DEPTH });
  if (json.ok && isObject(json.value)) {
    return Object.entries(json.value).map(([key, value]) => ({
      key,
      value: { kind: 'json', json: value },
    }));
  }
  const reason = json.ok ? 'it is not an object' : reasonOf(json.error);
  throw new UsageError(
    `the arguments are not one JSON object: ${reason}`,
    `write them like '{"path":"README.md"}', in single quotes`,
  );
}

function reasonOf(problem: { readonly kind: string; readonly message?: string }): string {
  return problem.message ?? problem.kind;
}

async function parseArgument(word: string): Promise<GivenArgument> {
  const [, key = '', operator, rest = ''] = /^([^=:]+)(:?=)(.*)$/s.exec(word) ?? [];
  if (operator === undefined) {
    throw new UsageError(
      `"${word}" is not an argument of the form key=value`,
      'write key=text, key:=json, key=@file or one JSON object, for example: message=hello',
    );
  }
  const text = rest.startsWith('@') ? await readArgumentFile(key, rest.slice(1)) : rest;
  if (operator === '=') return { key, value: { kind: 'text', text } };
  const json = parseJson(text, { maxLength: MAX_FILE_BYTES, maxDepth: MAX_DEPTH });
  if (json.ok) return { key, value: { kind: 'json', json: json.value } };
  throw new UsageError(
    `"${key}" is not JSON: ${reasonOf(json.error)}`,
    `for text write ${key}=…; put JSON in quotes: ${key}:='["a"]'`,
  );
}

async function readArgumentFile(key: string, path: string): Promise<string> {
  const read = await readTextFile(resolve(path), { maxBytes: MAX_FILE_BYTES });
  if (read.ok) return read.value;
  throw new UsageError(
    `the file for "${key}", ${path}, ${fileWords(read.error)}`,
    'correct the path after @',
  );
}

function fileWords(problem: FileProblem): string {
  switch (problem.kind) {
    case 'missing':
      return 'does not exist';
    case 'folder':
      return 'is a folder';
    case 'unreadable':
      return `cannot be read (${problem.code})`;
    case 'too-large':
      return `is larger than ${problem.limit} bytes`;
    case 'not-text':
      return 'is not text';
    default:
      return problem satisfies never;
  }
}

/** The arguments to send, converted to the types of the tool's schema. */
export function toValues(given: readonly GivenArgument[], schema: JsonObject): JsonObject {
  return Object.fromEntries(
    given.map(({ key, value }) => [
      key,
      value.kind === 'json' ? value.json : fromText(value.text, typesOfArgument(schema, key)),
    ]),
  );
}

/** Text stays text if the tool may accept text. */
function fromText(text: string, types: readonly string[]): Json {
  if (types.length === 0 || types.includes('string')) return text;
  if ((types.includes('number') || types.includes('integer')) && isNumber(text))
    return Number(text);
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  if (types.includes('null') && text === 'null') return null;
  return listOrObject(text, types) ?? text;
}

function listOrObject(text: string, types: readonly string[]): Json | undefined {
  const json = parseJson(text, { maxLength: MAX_FILE_BYTES, maxDepth: MAX_DEPTH });
  if (!json.ok) return undefined;
  const isAllowed = Array.isArray(json.value)
    ? types.includes('array')
    : isObject(json.value) && types.includes('object');
  return isAllowed ? json.value : undefined;
}

/** Decimal numbers only. A number that would lose digits stays text, for the tool to refuse. */
function isNumber(text: string): boolean {
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return false;
  const value = Number(text);
  return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
}
