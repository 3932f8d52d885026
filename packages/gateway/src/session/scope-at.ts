// Resolves a path to the scope of an endpoint, and writes the error for a path that leads to none.

import { closestName } from '@plugboard/host/configuration';
import type { Profile, Scope } from '../endpoint/index.ts';

type Addressed =
  | Exclude<Scope, { readonly kind: 'profile' }>
  | { readonly kind: 'profile'; readonly name: string };

export type Profiles = Readonly<Record<string, Profile>>;

export function scopeAt(url: string, profiles: Profiles): Scope | undefined {
  const addressed = addressedBy(url);
  if (addressed?.kind !== 'profile') return addressed;
  const profile = profileIn(profiles, addressed.name);
  return profile === undefined ? undefined : { ...addressed, profile };
}

export function profileIn(profiles: Profiles, name: string): Profile | undefined {
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined;
}

/** Only names that every client may list, since clients see all of them. */
interface ListedNames {
  readonly servers: readonly string[];
  readonly profiles: readonly string[];
}

/** The error for a path without an endpoint. */
export function nothingAt(url: string, { servers, profiles }: ListedNames): string {
  const addressed = addressedBy(url);
  switch (addressed?.kind) {
    case 'server': {
      const { server: name } = addressed;
      if (profiles.includes(name)) {
        return `This gateway has no server ${shown(name)}, but a profile of that name, at /mcp/profile/${encodeURIComponent(name)}`;
      }
      return `This gateway has no server ${shown(name)}.${nearest(name, servers)} See which it has: plugboard status`;
    }
    case 'profile': {
      const { name } = addressed;
      return `This gateway has no profile ${shown(name)}.${nearest(name, profiles)} Profiles are in the file that this command names, under "gateway": plugboard config path --scope user`;
    }
    default:
      return 'There is nothing at this address. All servers are at /mcp, one alone at /mcp/SERVER, a profile at /mcp/profile/NAME';
  }
}

function nearest(name: string, names: readonly string[]): string {
  const found = closestName(name, names);
  return found === undefined ? '' : ` Did you mean ${shown(found)}?`;
}

const LONGEST_SHOWN = 100;

function shown(name: string): string {
  return JSON.stringify(name.slice(0, LONGEST_SHOWN));
}

function addressedBy(url: string): Addressed | undefined {
  const [path = ''] = url.split('?');
  if (path === '/mcp' || path === '/mcp/') return { kind: 'all' };
  const [, first, second] = /^\/mcp\/([^/]+)(?:\/([^/]+))?$/.exec(path) ?? [];
  const server = decodedSegment(first);
  if (server === undefined) return undefined;
  if (second === undefined) return { kind: 'server', server };
  const name = decodedSegment(second);
  return first === 'profile' && name !== undefined ? { kind: 'profile', name } : undefined;
}

function decodedSegment(segment: string | undefined): string | undefined {
  if (segment === undefined) return undefined;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
