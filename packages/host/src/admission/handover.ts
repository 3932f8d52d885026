// Finds the values of a user's own entries that would go to a destination chosen by a foreign file. A foreign
// file that states a program, its arguments, folder or variables, an address or where to sign in decides who
// receives the values of weaker entries, so each of these is withheld until the user grants it. What the user
// wrote over the foreign entry was meant for it. Pure.

import { isObject, isUrl, looksLikeToken, soundsSecret } from '@plugboard/base';
import {
  type Author,
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
import type { TrustSubject } from './trust-subject.ts';

/** One thing of the user's that a foreign statement leads elsewhere. */
export interface HandedItem {
  readonly path: FieldPath;
  /** `env.API_KEY` */
  readonly field: string;
  /** As people call it: `API_KEY`. */
  readonly name: string;
  /** Where the user has it. */
  readonly origin: Origin;
  /** The foreign statement that decides where it goes. */
  readonly by: { readonly field: string; readonly origin: Origin };
  /** It is part of what is started or reached: without it the server cannot be used. */
  readonly isNeeded: boolean;
  /** The user has said that the server may have it. */
  readonly isGiven: boolean;
}

export interface Handover {
  /** Of the server with all that it would have. */
  readonly subject: TrustSubject;
  readonly items: readonly HandedItem[];
  /** Who stated which field; withheld fields are marked as such. */
  readonly fields: readonly FieldReport[];
  /** What it does without, though it can be used. */
  readonly warnings: readonly Diagnostic[];
}

export interface HandoverGround {
  readonly kind: ServerEntry['kind'];
  /** Who can have written a statement. */
  readonly authorIn: (statement: FieldReport['from'][number]) => Author;
  /** Fields that the user has given. */
  readonly given: readonly string[];
}

export function handedItems(
  fields: readonly FieldReport[],
  ground: HandoverGround,
): readonly HandedItem[] {
  const { kind, authorIn, given } = ground;
  // A folder also counts for a remote server, where a command prints its headers.
  const values: Readonly<Record<string, unknown>> = Object.fromEntries(
    fields.map(({ path: [key], value }) => [String(key), value]),
  );
  const stated = fields.flatMap(({ path, value, from: [first] }) => {
    const [key] = path;
    const counts = first !== undefined && isFieldKey(key) && hasEffect(key, kind, values);
    return counts ? [{ path, value, first, author: authorIn(first) }] : [];
  });
  const leading = stated.filter(({ path, author }) => isDestination(path) && isForeign(author));
  return stated.flatMap(({ path, value, first, author }): readonly HandedItem[] => {
    if (!isSecret(path, value)) return [];
    const by = leading.find(
      (other) =>
        other.author !== author && precedence(other.first.scope) >= precedence(first.scope),
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

/** All variables and headers count: a name says little of what it holds. */
function isSecret(path: FieldPath, value: unknown): boolean {
  if (isSecretField(path)) return true;
  const [key] = path;
  if (key === 'args' && plainSecrets({ args: value }).length > 0) return true;
  if (key === 'url' && typeof value === 'string' && carriesSecret(value)) return true;
  const isOpen = (named: string): boolean => isPassedOn(named) || PLACES.has(named);
  return textsIn(value).some((text) => !namesIn(text).every(isOpen));
}

/** Where a plugin lies, and the folder that one works in. */
const PLACES: ReadonlySet<string> = new Set([
  'CLAUDE_PLUGIN_ROOT',
  'PLUGIN_ROOT',
  PROJECT_VARIABLE,
]);

function carriesSecret(url: string): boolean {
  if (!isUrl(url)) return false;
  const { username, searchParams } = new URL(url);
  const isOpen = [...searchParams].every(
    ([key, text]) => !soundsSecret(key) && !looksLikeToken(text),
  );
  return username !== '' || !isOpen;
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** What a server does without, one line for each statement that leads it elsewhere. `items` are of one need. */
export function withheldDiagnostics(
  server: string,
  items: readonly HandedItem[],
): readonly Diagnostic[] {
  const byPlace = new Map<string, HandedItem[]>();
  for (const item of items) {
    const place = JSON.stringify(item.by);
    byPlace.set(place, [...(byPlace.get(place) ?? []), item]);
  }
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
