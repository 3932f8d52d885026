// A claim: the entry of one source for one server, with its place, its strength, and the result of checking
// it alone. It may be a whole entry or a patch for a weaker one.

import {
  ALL_TRANSPORTS,
  checkName,
  type EntryFields,
  isNameInParts,
  readFields,
} from '../fields/index.ts';
import {
  type Diagnostic,
  type EntryPlace,
  isFromPluginOrConnector,
  locate,
  type Origin,
  type Scope,
} from '../text/index.ts';

export interface ClaimSource {
  readonly name: string;
  readonly scope: Scope;
  /** The position of its source among all sources; within a scope, a lower one is stronger. */
  readonly position: number;
  readonly origin: Origin;
  readonly place: EntryPlace;
  /** The folder to which relative paths are relative. */
  readonly folder: string;
  /** Variables of its source, in addition to the environment. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
}

export interface Claim extends ClaimSource {
  /** `undefined` if the entry is unusable; then at least one diagnostic is an error. */
  readonly fields?: EntryFields | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** Set if the name is invalid, so that a valid one must be derived. */
  readonly isUnnamed?: true;
  /** The name in the file, if `name` was derived from it. */
  readonly writtenAs?: string;
}

export interface RawEntry extends ClaimSource {
  readonly value: unknown;
  /** Set if the text of the entry has a syntax error; then `value` is ignored. */
  readonly broken?: Diagnostic | undefined;
  /** `any`: the file is shared with programs that accept any name. */
  readonly names?: 'ours' | 'any';
}

export function claim(written: RawEntry): Claim {
  const { name, scope, position, origin, place, folder, variables, value, broken } = written;
  const claimed = (diagnostics: readonly Diagnostic[], fields?: EntryFields): Claim => ({
    name,
    scope,
    position,
    origin,
    place,
    folder,
    variables,
    fields,
    diagnostics,
  });
  if (broken !== undefined) return claimed([broken]);
  const badName = checkName(name);
  const isUnnamed = badName?.code === 'bad-name' && written.names === 'any';
  if (badName !== undefined && !isUnnamed) return claimed([locate(badName, place)]);
  const { fields, findings } = readFields(value);
  const diagnostics = findings.map((finding) => locate(finding, place));
  const whole = claimed(diagnostics, fields);
  if (isUnnamed) return { ...whole, isUnnamed };
  if (!isDefinition(whole) || !isForeignName(whole)) return whole;
  return claimed([...diagnostics, foreignName(whole)]);
}

/** Whether the claim states what to start or to reach. Any other claim patches a weaker definition. */
export function isDefinition({ fields }: Claim): boolean {
  if (fields === undefined) return false;
  return ALL_TRANSPORTS.some(({ needs, types }) =>
    needs === undefined ? types.some((type) => type === fields.type) : fields[needs] !== undefined,
  );
}

/** Only plugins and connectors may define servers with names in parts, such as `plugin:…`. */
function isForeignName({ name, scope }: Claim): boolean {
  return isNameInParts(name) && !isFromPluginOrConnector(scope);
}

function foreignName({ name, place }: Claim): Diagnostic {
  const finding = {
    severity: 'error',
    code: 'bad-name',
    path: [],
    on: 'key',
    message: `"${name}" is the name of a server that a plugin or a connector brings.`,
    suggestion: 'Remove "command" and "url" to patch that server, or give this one another name.',
  } as const;
  return locate(finding, place);
}
