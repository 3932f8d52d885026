// Adds a server to a file or removes one. apply-edit.ts reads, locks and writes the file.

import { err, type Result } from '@plugboard/base';
import { SERVERS_KEY } from '../files/index.ts';
import { entryProblems } from '../merge/index.ts';
import { propertiesOf, propertyNamed } from '../text/index.ts';
import { applyEdit, edited, type EditProblem, type Outline, outline } from './apply-edit.ts';
import { insertProperty, removeProperty, replaceValue } from './edit-text.ts';

export interface AddOptions {
  readonly file: string;
  readonly name: string;
  /** As it will be in the file. */
  readonly entry: Readonly<Record<string, unknown>>;
  readonly replace: 'refuse' | 'overwrite';
}

interface AddResult {
  readonly kind: 'added' | 'replaced';
}

export async function addServer(options: AddOptions): Promise<Result<AddResult, EditProblem>> {
  const { file, name, entry } = options;
  const problems = entryProblems(options);
  if (problems.length > 0) return err({ kind: 'invalid-entry', diagnostics: problems });
  return applyEdit<AddResult>(file, (opened) => {
    const existing = propertyNamed(opened.map, name);
    if (opened.map === undefined || existing === undefined) {
      return edited(withServer(opened, { name, entry }), 'added');
    }
    if (options.replace === 'refuse') return err({ kind: 'exists' });
    const change = { property: existing, value: entry };
    return edited(replaceValue(opened.text, opened.map, change), 'replaced');
  });
}

export async function removeServer(options: {
  readonly file: string;
  readonly name: string;
}): Promise<Result<{ readonly kind: 'removed' }, EditProblem>> {
  const { file, name } = options;
  return applyEdit(file, (opened) => {
    if (propertyNamed(opened.map, name) === undefined) return err(notFound(opened));
    return edited(withoutServer(file, opened, name), 'removed');
  });
}

export function notFound({ map }: Outline): EditProblem {
  const names = propertiesOf(map).map((property) => property.name);
  return { kind: 'not-found', names: [...new Set(names)] };
}

/** The text with an additional server. */
export function withServer(
  { text, root, map }: Outline,
  { name, entry }: { readonly name: string; readonly entry: unknown },
): string {
  if (map !== undefined) return insertProperty(text, map, { name, value: entry });
  return insertProperty(text, root, { name: SERVERS_KEY, value: { [name]: entry } });
}

/** The text without a server, and without duplicates of it. */
export function withoutServer(file: string, { text, map }: Outline, name: string): string {
  const property = propertyNamed(map, name);
  if (map === undefined || property === undefined) return text;
  const shorter = removeProperty(text, map, property);
  const next = outline(file, shorter);
  return next.ok ? withoutServer(file, next.value, name) : shorter;
}
