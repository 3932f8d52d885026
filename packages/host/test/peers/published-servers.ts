// What is known of the published servers that tests talk to, whatever the transport.

import type { PeerExpectation } from './peer-check.ts';

export const LEGACY = { era: 'legacy', protocolVersion: '2025-11-25' } as const;
export const MODERN = { era: 'modern', protocolVersion: '2026-07-28' } as const;

export const EVERYTHING: PeerExpectation = {
  ...LEGACY,
  server: 'mcp-servers/everything',
  tool: 'echo',
  call: { tool: 'echo', arguments: { message: 'hi' }, kind: 'result', text: 'Echo: hi' },
};

export const DBHUB: PeerExpectation = {
  ...LEGACY,
  server: 'DBHub MCP Server',
  tool: 'execute_sql',
  call: {
    tool: 'execute_sql',
    arguments: { sql: 'select 20 + 1 as answer' },
    kind: 'result',
    text: '"answer": 21',
  },
};

/** Its tools ask a service that tests keep it from: the answer is that it cannot be reached. */
export const CONTEXT7: PeerExpectation = {
  ...LEGACY,
  server: 'Context7',
  tool: 'query-docs',
  call: {
    tool: 'resolve-library-id',
    arguments: { query: 'hooks', libraryName: 'React' },
    kind: 'result',
    text: 'fetch failed',
  },
};

/** It finds no browser, which it reports as a failure of the tool. */
export const PLAYWRIGHT: PeerExpectation = {
  ...LEGACY,
  server: 'Playwright',
  tool: 'browser_navigate',
  call: {
    tool: 'browser_tabs',
    arguments: { action: 'list' },
    kind: 'tool-error',
    text: '/no/such/browser',
  },
};

/** All of its tools need the network. */
export const GITHUB: PeerExpectation = {
  era: 'legacy',
  protocolVersion: '2024-11-05',
  server: 'github-mcp-server',
  tool: 'search_repositories',
};
