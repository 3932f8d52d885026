// Which endpoint a path leads to.

import type { Profile, Scope } from '../endpoint/index.ts';

export function scopeAt(
  url: string,
  profiles: Readonly<Record<string, Profile>>,
): Scope | undefined {
  const [path = ''] = url.split('?');
  if (path === '/mcp' || path === '/mcp/') return { kind: 'all' };
  const [, first, second] = /^\/mcp\/([^/]+)(?:\/([^/]+))?$/.exec(path) ?? [];
  const server = decodedSegment(first);
  if (server === undefined) return undefined;
  if (second === undefined) return { kind: 'server', server };
  const name = decodedSegment(second);
  const profile = name !== undefined && Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  return first === 'profile' && name !== undefined && profile !== undefined
    ? { kind: 'profile', name, profile }
    : undefined;
}

function decodedSegment(segment: string | undefined): string | undefined {
  if (segment === undefined) return undefined;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
