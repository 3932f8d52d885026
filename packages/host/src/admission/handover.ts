// Finds the values of a user's own entries that would go to a destination chosen by a foreign file. A foreign
// file that states a program, its arguments, folder or variables, an address or where to sign in decides who
// receives the values of weaker entries, so each of these is withheld until the user gives it. Values in a
// stronger entry of the user were meant for that destination.

import { groupBy, isObject, isUrl, looksLikeToken, soundsSecret } from '@plugboard/base';
import {
  type ConfiguredServer,
  type Diagnostic,
  type FieldPath,
  type FieldReport,
  hasEffect,
  isDestination,
  isFieldKey,
  isForeign,
  isIndispensable,
  isSecretField,
  namesIn,
  type Origin,
  originPosition,
  precedence,
  PROJECT_VARIABLE,
  type ServerEntry,
} from '../config/index.ts';
import { plainSecrets } from '../foreign/index.ts';
import { isPassedOn } from '../platform/index.ts';
import type { Configuration } from '../sources/index.ts';
import type { TrustSubject } from './trust-subject.ts';

/** A value of the user that a foreign statement would send elsewhere. */
export interface HandedItem {
  readonly path: FieldPath;
  /** `env.API_KEY` */
  readonly field: string;
  /** The short name for people: `API_KEY`. */
  readonly name: string;
  /** Where the user stated it. */
  readonly origin: Origin;
  /** The foreign statement that decides the destination. */
  readonly by: { readonly field: string; readonly origin: Origin };
  /** Whether the server cannot be used without it. */
  readonly isNeeded: boolean;
  /** Whether the user has given it to the server. */
  readonly isGiven: boolean;
}

export interface Handover {
  /** The subject of the server with all its values. */
  readonly subject: TrustSubject;
  readonly items: readonly HandedItem[];
  /** The fields with their sources; withheld fields are marked as such. */
  readonly fields: readonly FieldReport[];
  /** About withheld values without which the server can still be used. */
  readonly warnings: readonly Diagnostic[];
}

/**
 * Withholds what the user has not given. `handover` is absent if none of the user's values would go elsewhere.
 */
export async function curtail(
  server: ConfiguredServer,
  subject: TrustSubject,
  {
    configuration,
    given,
  }: {
    readonly configuration: Pick<Configuration, 'explain' | 'without'>;
    /** The fields that the user has given. */
    readonly given: readonly string[];
  },
): Promise<ConfiguredServer & { readonly handover?: Handover }> {
  const { name, written } = server;
  const fields = configuration.explain(name);
  const items = handedItems(written.kind, fields, given);
  if (items.length === 0) return server;
  const withheld = items.filter(({ isGiven }) => !isGiven);
  const left = withheld.filter(({ isNeeded }) => !isNeeded);
  const rest =
    left.length === 0
      ? { server, fields }
      : await configuration.without(
          name,
          left.map(({ path }) => path),
        );
  const warnings = withheldDiagnostics(name, left);
  const handover = { subject, items, fields: rest.fields, warnings };
  const needed = withheld.filter(({ isNeeded }) => isNeeded);
  if (needed.length === 0) return { ...rest.server, handover };
  const diagnostics = withheldDiagnostics(name, needed);
  return { ...rest.server, resolved: { kind: 'unresolved', diagnostics }, handover };
}

/** `given`: the fields that the user has given. */
function handedItems(
  kind: ServerEntry['kind'],
  fields: readonly FieldReport[],
  given: readonly string[],
): readonly HandedItem[] {
  // Needed by `hasEffect`: `cwd` affects a remote server only if a command prints its headers.
  const values: Readonly<Record<string, unknown>> = Object.fromEntries(
    fields.map(({ path: [key], value }) => [String(key), value]),
  );
  const stated = fields.flatMap(({ path, value, from: [first] }) => {
    const [key] = path;
    const counts = first !== undefined && isFieldKey(key) && hasEffect(key, kind, values);
    return counts ? [{ path, value, first }] : [];
  });
  const leading = stated.filter(
    ({ path, first }) => isDestination(path) && isForeign(first.author),
  );
  return stated.flatMap(({ path, value, first }): readonly HandedItem[] => {
    if (!isSecret(path, value)) return [];
    const by = leading.find(
      (other) =>
        other.first.author !== first.author &&
        precedence(other.first.scope) >= precedence(first.scope),
    );
    if (by === undefined) return [];
    const field = fieldName(path);
    return [
      {
        path,
        field,
        name: String(path.at(-1)),
        origin: first.origin,
        by: { field: fieldName(by.path), origin: by.first.origin },
        isNeeded: isIndispensable(path),
        isGiven: given.includes(field),
      },
    ];
  });
}

function fieldName(path: FieldPath): string {
  return path.join('.');
}

/** All variables and headers count as secrets, whatever their names. */
function isSecret(path: FieldPath, value: unknown): boolean {
  if (isSecretField(path)) return true;
  const [key] = path;
  if (key === 'args' && plainSecrets({ args: value }).length > 0) return true;
  if (key === 'url' && typeof value === 'string' && carriesSecret(value)) return true;
  const isPublic = (name: string): boolean => isPassedOn(name) || PLACES.has(name);
  return textsIn(value).some((text) => !namesIn(text).every(isPublic));
}

/** Variables with the folder of a plugin or the working folder. */
const PLACES: ReadonlySet<string> = new Set([
  'CLAUDE_PLUGIN_ROOT',
  'PLUGIN_ROOT',
  PROJECT_VARIABLE,
]);

function carriesSecret(url: string): boolean {
  if (!isUrl(url)) return false;
  const { username, searchParams } = new URL(url);
  const hasSecret = [...searchParams].some(
    ([key, text]) => soundsSecret(key) || looksLikeToken(text),
  );
  return username !== '' || hasSecret;
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** Reports withheld values, once for each foreign statement. All `items` must have the same `isNeeded`. */
function withheldDiagnostics(server: string, items: readonly HandedItem[]): readonly Diagnostic[] {
  const byPlace = groupBy(items, ({ by }) => JSON.stringify(by));
  return [...byPlace.values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const { by, isNeeded } = first;
    const names = same.map(({ name }) => name).join(', ');
    const loss = isNeeded ? 'does not start without your' : 'does not get your';
    return [
      {
        severity: isNeeded ? 'error' : 'warning',
        code: 'withheld',
        message: `"${server}" ${loss} ${names}: "${by.field}" here decides where that would go.`,
        suggestion: `If it may have that: ${giveCommand(server, same)}`,
        ...originPosition(by.origin),
        server,
      },
    ];
  });
}

export function giveCommand(server: string, items: readonly HandedItem[]): string {
  const names = items.map(({ name }) => `--give ${shellWord(name)}`);
  return ['plugboard trust', server, ...names].join(' ');
}

function shellWord(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
