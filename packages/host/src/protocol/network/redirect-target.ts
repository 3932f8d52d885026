// The target of a redirect; `undefined` if the answer is not a redirect. Pure.

import { isUrl } from '@plugboard/base';

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export function redirectTarget(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  from: URL,
): URL | undefined {
  const location = headers.get('location');
  if (!REDIRECTS.has(status) || location === null) return undefined;
  return isUrl(location, from.href) ? new URL(location, from) : undefined;
}
