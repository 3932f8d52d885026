// Creates the server object of one session: its tools, resources and prompt, and its notifications of changes. All sessions
// share the parts; the object is connected to one transport and discarded with it.

import { McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { messageOf } from '@plugboard/base';
import type { CodebaseParts } from './parts/codebase-parts.ts';
import { registerExplore } from './prompts/explore-prompt.ts';
import type { FileListing } from './resources/file-listing.ts';
import { FILES_URI, registerFiles } from './resources/files-resource.ts';
import { registerSearch } from './resources/search-resource.ts';
import { chunkFile } from './tools/chunk-file.ts';
import { chunkFiles } from './tools/chunk-files.ts';
import { findSymbol } from './tools/find-symbol.ts';
import { history } from './tools/history.ts';
import { indexStatus } from './tools/index-status.ts';
import { listDirectory } from './tools/list-directory.ts';
import { outline } from './tools/outline.ts';
import { readFile } from './tools/read-file.ts';
import { searchByEmbedding } from './tools/search-by-embedding.ts';
import { searchCode } from './tools/search-code.ts';
import { searchStructure } from './tools/search-structure.ts';
import type { AnswerFormat, Tool } from './tools/tool.ts';

/** In the order in which they are listed. */
const ALL_TOOLS: readonly Tool[] = [
  searchCode,
  searchByEmbedding,
  findSymbol,
  outline,
  listDirectory,
  readFile,
  chunkFile,
  chunkFiles,
  history,
  searchStructure,
  indexStatus,
];

export const SERVER_NAME = 'plugboard-codebase';

export interface ServedCodebase {
  readonly parts: CodebaseParts;
  readonly listing: FileListing;
  readonly version: string;
  readonly format: AnswerFormat;
}

/**
 * Which clients are notified of changes: `subscribers` of a resource (the legacy era), `listeners` (the modern era), or
 * `none` if the object serves a single request.
 */
export type ChangeAudience = 'subscribers' | 'listeners' | 'none';

const HOW_TO =
  'Begin with search_by_embedding for questions, ' +
  'find_symbol for declared names and who uses them, search_code for text and patterns, and outline for an overview; read ' +
  'around a hit with read_file.';

function instructionsFor({ names }: CodebaseParts): string {
  const [first] = names;
  if (first === undefined) {
    return `Searches and reads one codebase. All paths are relative to its root. ${HOW_TO}`;
  }
  const where = `Searches and reads several codebases: ${names.join(', ')}. Every path begins with the name of one of them`;
  return `${where}: "${first}/README.md". ${HOW_TO}`;
}

/** Lists never change while the server runs, and are the same for all clients. */
const CACHED = { ttlMs: 300_000, cacheScope: 'public' } as const;

export function createMcpServer(served: ServedCodebase, audience: ChangeAudience): McpServer {
  const server = new McpServer(
    { name: SERVER_NAME, title: 'Codebase', version: served.version },
    {
      instructions: instructionsFor(served.parts),
      capabilities: {
        tools: { listChanged: false },
        prompts: { listChanged: false },
        resources: { listChanged: false, subscribe: true },
      },
      cacheHints: {
        'tools/list': CACHED,
        'prompts/list': CACHED,
        'resources/list': CACHED,
        'resources/templates/list': CACHED,
        'server/discover': CACHED,
      },
    },
  );
  for (const tool of ALL_TOOLS) tool.register(server, served.parts, served.format);
  registerSearch(server, served.parts);
  registerFiles(server, served.listing);
  registerExplore(server);
  notifyOfChanges(server, served.parts, audience);
  return server;
}

function notifyOfChanges(server: McpServer, parts: CodebaseParts, audience: ChangeAudience): void {
  const subscribed = new Set<string>(audience === 'listeners' ? [FILES_URI] : []);
  const { server: protocol } = server;
  protocol.setRequestHandler('resources/subscribe', ({ params }) => {
    if (params.uri !== FILES_URI) throw notSubscribable(params.uri);
    subscribed.add(params.uri);
    return {};
  });
  protocol.setRequestHandler('resources/unsubscribe', ({ params }) => {
    subscribed.delete(params.uri);
    return {};
  });
  if (audience === 'none') return;
  const subscription = parts.changes.on(() => {
    if (subscribed.size === 0 || !server.isConnected()) return;
    protocol.sendResourceUpdated({ uri: FILES_URI }).catch((thrown: unknown) => {
      parts.logger.log('debug', 'a client could not be told', { reason: messageOf(thrown) });
    });
  });
  protocol.onclose = () => subscription[Symbol.dispose]();
}

function notSubscribable(uri: string): ProtocolError {
  const message = `only ${FILES_URI} can be subscribed to, not ${JSON.stringify(uri.slice(0, 200))}`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
