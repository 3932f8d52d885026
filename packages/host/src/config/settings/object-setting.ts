// Reads a setting that is an object: separates its valid fields from the others, and reports the problems.
// What the fields mean, and which sources may state them, is left to the caller.

import { isObject } from '@plugboard/base';
import { getNodeValue } from '#jsonc-parser';
import {
  type ConfigFile,
  type AnyShape,
  type Diagnostic,
  fieldName,
  nodesAt,
  type Origin,
  type Property,
  propertyNamed,
  type SettingsText,
  type ShapeProblem,
} from '../text/index.ts';

/** The value of a setting in one file: none or one. */
export interface ReadSettings<Setting> {
  readonly settings: readonly Setting[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface ObjectSettingKind {
  readonly key: string;
  readonly shape: AnyShape;
  readonly suggestion: string;
}

export interface ReadObjectSetting {
  readonly origin: Origin;
  /** As written, valid or not. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The valid fields. */
  readonly right: Readonly<Record<string, unknown>>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Never throws. `undefined` if the file does not have the setting. */
export function readObjectSetting(
  settings: SettingsText | undefined,
  { format }: Pick<ConfigFile, 'format'>,
  kind: ObjectSettingKind,
): ReadObjectSetting | undefined {
  // In another program's file, the key may have another meaning.
  if (settings === undefined || format === 'claude') return undefined;
  const written = propertyNamed(settings.root, kind.key);
  if (written === undefined) return undefined;
  const value: unknown = written.value && getNodeValue(written.value);
  const problems = kind.shape.problems(value);
  const wrong = new Set(problems.map(({ path }) => path[0]));
  const fields: Record<string, unknown> = isObject(value) ? value : {};
  const right = Object.entries(fields).filter(
    ([name, field]) => field !== undefined && !wrong.has(name),
  );
  return {
    origin: { kind: 'file', ...settings.at(written.key.offset) },
    fields,
    right: Object.fromEntries(right),
    diagnostics: problems.map((problem) => diagnosticOf(problem, written, { settings, kind })),
  };
}

function diagnosticOf(
  { kind: what, path, words }: ShapeProblem,
  written: Property,
  { settings, kind }: { readonly settings: SettingsText; readonly kind: ObjectSettingKind },
): Diagnostic {
  const nodes = nodesAt(written, path);
  const isKey = what === 'bad-key';
  return {
    severity: 'error',
    code: isKey ? 'unknown-key' : what,
    message: `"${fieldName([kind.key, ...(isKey ? path.slice(0, -1) : path)])}" ${words}.`,
    suggestion: kind.suggestion,
    ...settings.at((isKey ? nodes.key : nodes.value).offset),
  };
}
