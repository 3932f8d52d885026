// `codebase://search`: how to search by reading a resource, and `codebase://search/{query}`, which answers one query.

import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { CodebaseParts } from '../parts/codebase-parts.ts';

const SEARCH_URI = 'codebase://search';
const MOST_RESULTS = 20;
const HOUR_MS = 3_600_000;

const HOW_TO = `Read codebase://search/{query}, with the query percent-encoded, to search this codebase:
codebase://search/retry%20with%20backoff. The answer is JSON with the best places, each with a path and lines.
The tools search_code (text and patterns) and search_by_embedding (meaning) take more options.`;

export function registerSearch(server: McpServer, parts: CodebaseParts): void {
  server.registerResource(
    'search',
    SEARCH_URI,
    {
      title: 'Search the codebase',
      description: `How to search by reading ${SEARCH_URI}/{query}`,
      mimeType: 'text/plain',
      cacheHint: { ttlMs: HOUR_MS, cacheScope: 'public' },
    },
    () => ({ contents: [{ uri: SEARCH_URI, mimeType: 'text/plain', text: HOW_TO }] }),
  );
  server.registerResource(
    'search-results',
    new ResourceTemplate(`${SEARCH_URI}/{query}`, { list: undefined }),
    {
      title: 'Results of a search',
      description: 'The best places for a query: plain words, a name or a piece of code',
      mimeType: 'application/json',
      cacheHint: { ttlMs: 0, cacheScope: 'private' },
    },
    (uri, { query }, context) => results(uri, String(query), { parts, context }),
  );
}

async function results(
  uri: URL,
  encoded: string,
  { parts, context }: { readonly parts: CodebaseParts; readonly context: ServerContext },
): Promise<ReadResourceResult> {
  const query = decoded(encoded);
  if (query.includes('\0')) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'a query cannot hold NUL');
  }
  const { signal } = context.mcpReq;
  const found = await rankedPlaces(query, parts, signal);
  const text = JSON.stringify({ query, ...found });
  return { contents: [{ uri: uri.href, mimeType: 'application/json', text }] };
}

async function rankedPlaces(
  query: string,
  { index }: CodebaseParts,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const answer = await index.search(query, { maxResults: MOST_RESULTS }, signal);
  const { hits, mode, confidence, semanticCoverage, readShare, isComparing } = answer;
  const places = hits.map(({ path, startLine, endLine, symbol, score }) => ({
    path,
    start_line: startLine,
    end_line: endLine,
    ...(symbol === undefined ? {} : { symbol }),
    score,
  }));
  return {
    mode,
    confidence,
    read_share: readShare,
    semantic_coverage: semanticCoverage,
    ...(isComparing ? { is_comparing: true } : {}),
    results: places,
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // An invalid escape is a literal percent sign.
    return text;
  }
}
