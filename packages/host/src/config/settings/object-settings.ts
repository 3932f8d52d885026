// The settings whose values are objects, one row each: their shapes, what remains of a value with mistakes, and
// what counts in files of a project. Reads them from a file. Admission applies the last column.

import { isObject } from '@plugboard/base';
import { getNodeValue } from '#jsonc-parser';
import { callbackShapes } from '../fields/index.ts';
import { SECRET_NAME } from '../resolve/index.ts';
import {
  type AnyShape,
  type ConfigFile,
  type Diagnostic,
  exactFields,
  flag,
  nameProblem,
  nodesAt,
  notBlank,
  type Property,
  propertyNamed,
  type SettingsText,
  type ShapeProblem,
  type ShapeValue,
  type StatementPlace,
  text,
  wholeNumber,
} from '../text/index.ts';
import { chatShape } from './chat-shape.ts';
import { codebaseShape } from './codebase-shape.ts';
import { gatewayShape } from './gateway-shape.ts';

const identityProviderShape = exactFields(
  {
    issuer: notBlank,
    tokenEndpoint: notBlank,
    clientId: notBlank,
    clientSecret: text({
      pattern: new RegExp(`^\\$\\{secret:${SECRET_NAME}\\}$`),
      words: 'must be written as ${secret:NAME}; store it: plugboard secret set NAME',
    }),
    ...callbackShapes,
  },
  { required: ['issuer', 'clientId'] },
);

export const IDENTITY_PROVIDER_EXAMPLE =
  '"identityProvider": { "issuer": "https://login.example.com", "clientId": "some-client" }';

const atOnce = wholeNumber({ min: 1, max: 1000, unit: 'servers' });

export interface ObjectSettingRow {
  readonly shape: AnyShape;
  readonly suggestion: string;
  /** What counts in place of an invalid value of a field, if not the default. */
  readonly inPlaceOf?: Readonly<Record<string, unknown>>;
  /** Whether a value with a mistake does not count at all. By default, its valid fields count. */
  readonly isWhole?: true;
  /** What counts in a file that may have come with a project, even a trusted one. By default, everything. */
  readonly ofProject?:
    | 'nothing'
    /** `others`: the subject of a warning about the other fields. */
    | { readonly fields: readonly string[]; readonly others: string };
}

export const OBJECT_SETTINGS = {
  // An embedder or a store may receive all code on another machine, and language servers are programs.
  codebase: {
    shape: codebaseShape,
    suggestion: 'Write it like "codebase": { "embedder": "none" }, or take it out.',
    inPlaceOf: { disabled: true },
    ofProject: {
      fields: ['disabled'],
      others: 'What "codebase" says about an embedder, a store, language servers, roots or remotes',
    },
  },
  // Its author chooses where the key and the whole conversation are sent.
  chat: {
    shape: chatShape,
    suggestion: 'Write it like "chat": { "model": "anthropic/NAME" }, or take it out.',
    ofProject: 'nothing',
  },
  discover: {
    shape: exactFields({ claudeCode: flag, editors: flag }),
    suggestion:
      'Write it like "discover": { "claudeCode": false, "editors": false }, or take it out.',
    inPlaceOf: { claudeCode: false, editors: false },
  },
  // Its author chooses who vouches for the user everywhere.
  identityProvider: {
    shape: identityProviderShape,
    suggestion: `Write it like ${IDENTITY_PROVIDER_EXAMPLE}.`,
    isWhole: true,
    ofProject: 'nothing',
  },
  // The last two apply to the machine, not to one project.
  limits: {
    shape: exactFields({ connectingLocal: atOnce, connectingRemote: atOnce }),
    suggestion: 'Write it like "limits": { "connectingLocal": 3, "connectingRemote": 20 }.',
    ofProject: 'nothing',
  },
  gateway: {
    shape: gatewayShape,
    suggestion: 'Write it like "gateway": { "profiles": { "work": { "servers": ["files"] } } }.',
    ofProject: 'nothing',
  },
} as const satisfies Readonly<Record<string, ObjectSettingRow>>;

export type ObjectSettingKey = keyof typeof OBJECT_SETTINGS;

/** The fields of a setting that count, and its place. */
export type ObjectSetting<Key extends ObjectSettingKey> = StatementPlace &
  ShapeValue<(typeof OBJECT_SETTINGS)[Key]['shape']>;

/** Of one file, none or one each; of all files, strongest first. */
export type ObjectSettings = { readonly [Key in ObjectSettingKey]: readonly ObjectSetting<Key>[] };

export type ChatSetting = ObjectSetting<'chat'>;
export type CodebaseSetting = ObjectSetting<'codebase'>;

/** The value of a field in the strongest setting that has it. `settings` has the strongest first. */
export function strongest<Setting extends object, Field extends keyof Setting>(
  settings: readonly Setting[],
  field: Field,
): Setting[Field] | undefined {
  return settings.find((setting) => setting[field] !== undefined)?.[field];
}

/** Makes the settings key by key. The caller guarantees that each has the type of its key. */
export function objectSettings(
  make: (key: ObjectSettingKey) => readonly StatementPlace[],
): ObjectSettings {
  const keys = Object.keys(OBJECT_SETTINGS) as readonly ObjectSettingKey[];
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as unknown as ObjectSettings;
}

/** Never throws. */
export function readObjectSettings(
  settings: SettingsText | undefined,
  file: Pick<ConfigFile, 'scope' | 'format'>,
): { readonly settings: ObjectSettings; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const read = objectSettings((key) => {
    // In another program's file, the key may have another meaning.
    const written =
      file.format === 'claude' ? undefined : settings && propertyNamed(settings.root, key);
    if (settings === undefined || written === undefined) return [];
    const row: ObjectSettingRow = OBJECT_SETTINGS[key];
    const value: unknown = written.value && getNodeValue(written.value);
    const problems = row.shape.problems(value);
    diagnostics.push(
      ...problems.map((problem) => diagnosticOf(problem, { key, written, settings })),
    );
    if (row.isWhole === true && problems.length > 0) return [];
    const origin = { kind: 'file', ...settings.at(written.key.offset) } as const;
    return [{ ...validFields(value, row, problems), scope: file.scope, origin }];
  });
  return { settings: read, diagnostics };
}

/** The shape has checked these. */
function validFields(
  value: unknown,
  { inPlaceOf = {} }: ObjectSettingRow,
  problems: readonly ShapeProblem[],
): Readonly<Record<string, unknown>> {
  const wrong = new Set(problems.map(({ path }) => path[0]));
  const fields = Object.entries(isObject(value) ? value : {}).flatMap(([name, field]) => {
    if (!wrong.has(name)) return [[name, field] as const];
    return Object.hasOwn(inPlaceOf, name) ? [[name, inPlaceOf[name]] as const] : [];
  });
  return Object.fromEntries(fields);
}

interface WrittenObject {
  readonly key: ObjectSettingKey;
  readonly written: Property;
  readonly settings: SettingsText;
}

function diagnosticOf(
  problem: ShapeProblem,
  { key, written, settings }: WrittenObject,
): Diagnostic {
  const { on, code, reason } = nameProblem(problem, [key]);
  return {
    severity: 'error',
    code: on === 'key' ? 'unknown-key' : code,
    message: `${reason}.`,
    suggestion: OBJECT_SETTINGS[key].suggestion,
    ...settings.at(nodesAt(written, problem.path)[on].offset),
  };
}
