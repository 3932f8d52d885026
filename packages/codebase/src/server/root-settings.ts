// Reads roots and hosts from settings. Invalid entries are skipped, since the code that reads the settings has reported
// them. Pure.

import { isAbsolute, join } from 'node:path';
import { isObject } from '@plugboard/base';
import { isWithin, ownHome } from '../platform/index.ts';
import { isRemote } from '../remote/index.ts';
import type { RootChoice } from './root-names.ts';

/** The roots to serve besides a folder: addresses, and absolute or `~/` paths that neither contain the folder nor are in it. */
export function parseRoots(
  value: unknown,
  { besides, home = ownHome() }: { readonly besides: string; readonly home?: string },
): readonly RootChoice[] {
  return listIn(value).flatMap((one): readonly RootChoice[] => {
    const { name, path: given }: Record<string, unknown> = isObject(one) ? one : { path: one };
    if (typeof given !== 'string') return [];
    const path = given.startsWith('~/') ? join(home, given.slice(2)) : given;
    const choice = { path, ...(typeof name === 'string' ? { name } : {}) };
    if (isRemote(path)) return [choice];
    if (!isAbsolute(path) || isWithin(path, besides) || isWithin(besides, path)) return [];
    return [choice];
  });
}

export function parseHosts(value: unknown): readonly string[] {
  return listIn(value).filter((one) => typeof one === 'string');
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}
