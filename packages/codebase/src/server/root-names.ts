// Names several roots: as the user chooses, otherwise after their folders, with as much of the path as is needed to
// distinguish them. A root inside another one is refused, since every file in it would be found twice. Pure.

import { basename, sep } from 'node:path';
import { err, ok, type Result } from '@plugboard/base';
import { isWithin } from '../platform/index.ts';

/** A folder to serve. */
export interface RootChoice {
  /** The first part of its paths if there are several roots; the name of the folder by default. */
  readonly name?: string | undefined;
  readonly path: string;
}

export interface NamedPath {
  readonly name: string;
  readonly path: string;
}

/** A name is one part of a path, and has no special meaning in a glob. */
const ROOT_NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_.+@-]{0,63}$/u;
const MOST_ROOTS = 32;

/** Paths must be absolute. */
export function nameRoots(choices: readonly RootChoice[]): Result<readonly NamedPath[], string> {
  if (choices.length === 0) return err('no root is named');
  if (choices.length > MOST_ROOTS) return err(`${MOST_ROOTS} roots are the most`);
  const problem = badName(choices) ?? overlap(choices);
  if (problem !== undefined) return err(problem);
  const taken = new Set(choices.flatMap(({ name }) => (name === undefined ? [] : [name])));
  const named: NamedPath[] = [];
  for (const { name, path } of choices) {
    const chosen = name ?? freeName(path, { choices, taken });
    taken.add(chosen);
    named.push({ name: chosen, path });
  }
  return ok(named);
}

function badName(choices: readonly RootChoice[]): string | undefined {
  const names = choices.flatMap(({ name }) => (name === undefined ? [] : [name]));
  const wrong = names.find((name) => !ROOT_NAME.test(name));
  if (wrong !== undefined) {
    return `${JSON.stringify(wrong)} cannot be the name of a root: use letters, digits, "_", "-", "." and "+"`;
  }
  const twice = names.find((name, at) => names.indexOf(name) < at);
  return twice === undefined ? undefined : `two roots are called ${JSON.stringify(twice)}`;
}

function overlap(choices: readonly RootChoice[]): string | undefined {
  for (const [at, { path }] of choices.entries()) {
    const others = choices.filter((_, index) => index !== at);
    if (others.some((other, index) => other.path === path && index >= at)) {
      return `the root ${path} is named twice`;
    }
    const outer = others.find((other) => other.path !== path && isWithin(other.path, path));
    if (outer !== undefined) {
      return `the root ${path} lies in the root ${outer.path}; name only the outer one`;
    }
  }
  return undefined;
}

function freeName(
  path: string,
  { choices, taken }: { readonly choices: readonly RootChoice[]; readonly taken: Set<string> },
): string {
  const others = choices.filter((one) => one.path !== path);
  const depth = path.split(sep).length;
  for (let parts = 1; parts < depth; parts += 1) {
    const name = lastParts(path, parts);
    const isShared = others.some(
      (one) => one.name === undefined && lastParts(one.path, parts) === name,
    );
    if (!isShared && !taken.has(name)) return name;
  }
  const name = lastParts(path, 1);
  let number = 2;
  while (taken.has(`${name}-${number}`)) number += 1;
  return `${name}-${number}`;
}

function lastParts(path: string, count: number): string {
  const words = path.split(sep).slice(-count).join('-') || basename(path);
  const plain = words.replaceAll(/[^\p{L}\p{N}_.+@-]+/gu, '-').replace(/^[^\p{L}\p{N}_]+/u, '');
  return plain.slice(0, 64) || 'root';
}
