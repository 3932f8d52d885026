// Sets or removes one field of a server in a file. If the file does not have the server, setting a field adds
// an entry with only that field, which patches a weaker file's server.

import { err, type Result } from '@plugboard/base';
import { getNodeValue } from '#jsonc-parser';
import type { Node } from 'jsonc-parser';
import { newProblems, patchProblems } from '../merge/index.ts';
import { fieldName, placesOf, propertiesOf, type Property, propertyNamed } from '../text/index.ts';
import {
  applyEdit,
  type Edit,
  edited,
  type EditProblem,
  type Outline,
  outline,
} from './apply-edit.ts';
import { notFound, withoutServer, withServer } from './edit-file.ts';
import { insertProperty, removeProperty, replaceValue } from './edit-text.ts';

/** Keys from the entry down to the field, such as `['headers', 'Authorization']`. */
type KeyPath = readonly [string, ...string[]];

export interface FieldOptions {
  readonly file: string;
  readonly name: string;
  readonly path: KeyPath;
}

export interface FieldSet {
  /** `added`: the server was not in the file. */
  readonly kind: 'added' | 'changed' | 'unchanged';
}

export async function setField(
  options: FieldOptions & { readonly value: unknown },
): Promise<Result<FieldSet, EditProblem>> {
  return applyEdit(options.file, settingOf(options));
}

export interface FieldUnset {
  /** `removed`: the entry had no other field, so the whole entry is gone. */
  readonly kind: 'changed' | 'removed' | 'unchanged';
}

export async function unsetField(options: FieldOptions): Promise<Result<FieldUnset, EditProblem>> {
  const { file, name, path } = options;
  return applyEdit<FieldUnset>(file, (opened) => {
    const server = propertyNamed(opened.map, name);
    if (server === undefined) return err(notFound(opened));
    const text = withoutField(file, opened, options);
    if (text === opened.text) return edited(text, 'unchanged');
    const left = outline(file, text);
    if (path.length > 1 || !left.ok || !isBare(left.value, name)) return edited(text, 'changed');
    return edited(withoutServer(file, left.value, name), 'removed');
  });
}

export interface EnableResult {
  readonly kind: FieldSet['kind'] | 'removed';
}

/** Enables a server. An entry that only disables the server is removed; any other entry gets `"disabled": false`. */
export async function enableServer(options: {
  readonly file: string;
  readonly name: string;
}): Promise<Result<EnableResult, EditProblem>> {
  const { file, name } = options;
  return applyEdit<EnableResult>(file, (opened) => {
    const server = propertyNamed(opened.map, name);
    const fields = new Set(propertiesOf(server?.value).map((field) => field.name));
    if (server !== undefined && fields.size === 1 && fields.has('disabled')) {
      return edited(withoutServer(file, opened, name), 'removed');
    }
    return settingOf({ ...options, path: ['disabled'], value: false })(opened);
  });
}

function settingOf({
  file,
  name,
  path,
  value,
}: FieldOptions & { readonly value: unknown }): Edit<FieldSet> {
  return (opened) => {
    const server = propertyNamed(opened.map, name);
    if (server === undefined) {
      const entry = nested(path, value);
      const problems = patchProblems({ file, name, entry });
      if (problems.length > 0) return err({ kind: 'invalid-entry', diagnostics: problems });
      return edited(withServer(opened, { name, entry }), 'added');
    }
    const text = withField(opened, server, { path, value });
    if (text === undefined) return err(notAnObject(file, opened, { server, path }));
    if (text === opened.text) return edited(text, 'unchanged');
    const problems = newProblems(
      { file, name, entry: propertyValue(server) },
      { entry: entryIn(file, text, name) },
    );
    if (problems.length > 0) return err({ kind: 'invalid-entry', diagnostics: problems });
    return edited(text, 'changed');
  };
}

/** `undefined` if a value on the path is not an object. */
function withField(
  { text }: Outline,
  server: Property,
  { path, value }: { readonly path: KeyPath; readonly value: unknown },
): string | undefined {
  let object = server.value;
  for (const [depth, key] of path.entries()) {
    if (object?.type !== 'object') return undefined;
    const field = propertyNamed(object, key);
    const rest = path.slice(depth + 1);
    if (field === undefined) {
      return insertProperty(text, object, { name: key, value: nested(rest, value) });
    }
    if (rest.length === 0) {
      const isSame = JSON.stringify(propertyValue(field)) === JSON.stringify(value);
      return isSame ? text : replaceValue(text, object, { property: field, value });
    }
    object = field.value;
  }
  return undefined;
}

/** Also removes duplicates of the key. */
function withoutField(
  file: string,
  { text, map }: Outline,
  { name, path }: Pick<FieldOptions, 'name' | 'path'>,
): string {
  let object = propertyNamed(map, name)?.value;
  for (const key of path.slice(0, -1)) object = propertyNamed(object, key)?.value;
  const field = propertyNamed(object, path.at(-1) ?? '');
  if (object === undefined || field === undefined) return text;
  const shorter = removeProperty(text, object, field);
  const next = outline(file, shorter);
  return next.ok ? withoutField(file, next.value, { name, path }) : shorter;
}

/** Whether the entry contains neither a field nor a comment. */
function isBare({ text, map }: Outline, name: string): boolean {
  const entry = propertyNamed(map, name)?.value;
  if (entry === undefined) return false;
  return /^\{\s*\}$/.test(text.slice(entry.offset, entry.offset + entry.length));
}

function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
}

function propertyValue({ value }: Property): unknown {
  return value && (getNodeValue(value) as unknown);
}

function entryIn(file: string, text: string, name: string): unknown {
  const opened = outline(file, text);
  const server = opened.ok ? propertyNamed(opened.value.map, name) : undefined;
  return server && propertyValue(server);
}

function notAnObject(
  file: string,
  { text }: Outline,
  { server, path }: { readonly server: Property; readonly path: KeyPath },
): EditProblem {
  let node: Node = server.value ?? server.key;
  let depth = 0;
  for (; node.type === 'object' && depth < path.length; depth += 1) {
    const next = propertyNamed(node, path[depth] ?? '')?.value;
    if (next === undefined) break;
    node = next;
  }
  const what = depth === 0 ? `"${server.name}"` : `"${fieldName(path.slice(0, depth))}"`;
  return {
    kind: 'invalid-file',
    diagnostic: {
      severity: 'error',
      code: 'wrong-type',
      message: `${what} must be an object.`,
      suggestion: 'Write it with braces, like { "command": "npx" }.',
      file,
      ...placesOf(text)(node.offset),
      server: server.name,
    },
  };
}
