// Whether an address is one that a pattern means. Piece by piece, and never on the text as a whole:
// the text of `https://evil.com/.example.com/` holds everything that a careless pattern looks for.

import { matchesWildcard } from '@plugboard/base';
import { type CanonicalUrl, DEFAULT_PORTS, type UrlPattern } from '../config/index.ts';

export function matchesUrl(pattern: UrlPattern, url: CanonicalUrl): boolean {
  return (
    pattern.schemes.includes(url.scheme) &&
    matchesWildcard(pattern.host, url.host) &&
    matchesWildcard(pattern.port ?? DEFAULT_PORTS[url.scheme], url.port) &&
    matchesWildcard(pattern.path ?? '*', url.path) &&
    matchesWildcard(pattern.query ?? '*', url.query)
  );
}
