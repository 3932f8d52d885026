// What a browser has to be told so that a page of another origin may use this server. Only for origins that the guard lets
// in, and each by its name: never for all. Pure.

interface CorsRequest {
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** What scripts of a page may read of an answer, beside its body. */
const EXPOSED = 'Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate';
const METHODS = 'GET, HEAD, POST, DELETE';
/** What clients of any revision send. */
const SENT = /^(?:accept|authorization|content-type|last-event-id|mcp-[a-z0-9-]{1,80})$/;
const MOST_SENT = 50;
const KEPT_S = '600';

export function isPreflight({ method, headers }: CorsRequest): boolean {
  const asked = headers['access-control-request-method'];
  return method === 'OPTIONS' && headers['origin'] !== undefined && asked !== undefined;
}

/** For every answer, even for refusals: the page is to know why. */
export function corsHeaders({ headers }: CorsRequest): Readonly<Record<string, string>> {
  const { origin } = headers;
  if (typeof origin !== 'string') return { vary: 'Origin' };
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-expose-headers': EXPOSED,
  };
}

/** For the question whether a request may be sent. */
export function preflightHeaders(request: CorsRequest): Readonly<Record<string, string>> {
  const asked = request.headers['access-control-request-headers'];
  const names = (typeof asked === 'string' ? asked : '')
    .split(',', MOST_SENT)
    .map((name) => name.trim().toLowerCase())
    .filter((name) => SENT.test(name));
  const isFromElsewhere = request.headers['access-control-request-private-network'] === 'true';
  return {
    ...corsHeaders(request),
    'access-control-allow-methods': METHODS,
    'access-control-allow-headers': names.join(', '),
    'access-control-max-age': KEPT_S,
    ...(isFromElsewhere ? { 'access-control-allow-private-network': 'true' } : {}),
  };
}
