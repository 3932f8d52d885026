// The CORS headers that let a page of another origin use this server. Only for origins that the guard allows, each by name
// and never by a wildcard. Pure.

interface CorsRequest {
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** The headers of a response that scripts of a page may read. */
const EXPOSED = 'Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate';
const METHODS = 'GET, HEAD, POST, DELETE';
/** The request headers of clients of any revision. */
const ALLOWED = /^(?:accept|authorization|content-type|last-event-id|mcp-[a-z0-9-]{1,80})$/;
const MOST_ALLOWED = 50;
const CACHE_SECONDS = '600';

export function isPreflight({ method, headers }: CorsRequest): boolean {
  const requested = headers['access-control-request-method'];
  return method === 'OPTIONS' && headers['origin'] !== undefined && requested !== undefined;
}

/** For every response, including refusals, so that the page can read the reason. */
export function corsHeaders({ headers }: CorsRequest): Readonly<Record<string, string>> {
  const { origin } = headers;
  if (typeof origin !== 'string') return { vary: 'Origin' };
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-expose-headers': EXPOSED,
  };
}

/** For the response to a preflight request. */
export function preflightHeaders(request: CorsRequest): Readonly<Record<string, string>> {
  const requested = request.headers['access-control-request-headers'];
  const names = (typeof requested === 'string' ? requested : '')
    .split(',', MOST_ALLOWED)
    .map((name) => name.trim().toLowerCase())
    .filter((name) => ALLOWED.test(name));
  const isFromElsewhere = request.headers['access-control-request-private-network'] === 'true';
  return {
    ...corsHeaders(request),
    'access-control-allow-methods': METHODS,
    'access-control-allow-headers': names.join(', '),
    'access-control-max-age': CACHE_SECONDS,
    ...(isFromElsewhere ? { 'access-control-allow-private-network': 'true' } : {}),
  };
}
