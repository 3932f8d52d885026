// Makes the server object of one session: its tools, its resources, its prompt, and what it tells of changes. The parts are shared
// by all sessions; the object is connected to one transport and thrown away with it.

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
 * Which clients are told of changes: `subscribers` only those that subscribed to a resource (the legacy era),
 * `listeners` those that the entrance finds listening (the modern era), `nobody` where the object lives for one
 * request.
 */
export type ChangeAudience = 'subscribers' | 'listeners' | 'nobody';

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

/** What never changes while the server runs is the same for everybody. */
const STEADY = { ttlMs: 300_000, cacheScope: 'public' } as const;

export function createMcpServer(served: ServedCodebase, telling: ChangeAudience): McpServer {
  const server = new McpServer(
    { name: SERVER_NAME, title: 'Codebase', version: served.version },
    {
      instructions: instructionsFor(served.parts),
      // No list changes while the server runs.
      capabilities: {
        tools: { listChanged: false },
        prompts: { listChanged: false },
        resources: { listChanged: false, subscribe: true },
      },
      cacheHints: {
        'tools/list': STEADY,
        'prompts/list': STEADY,
        'resources/list': STEADY,
        'resources/templates/list': STEADY,
        'server/discover': STEADY,
      },
    },
  );
  for (const tool of ALL_TOOLS) tool.register(server, served.parts, served.format);
  registerSearch(server, served.parts);
  registerFiles(server, served.listing);
  registerExplore(server);
  tellOfChanges(server, served.parts, telling);
  return server;
}

function tellOfChanges(server: McpServer, parts: CodebaseParts, telling: ChangeAudience): void {
  const subscribed = new Set<string>(telling === 'listeners' ? [FILES_URI] : []);
  const { server: protocol } = server;
  protocol.setRequestHandler('resources/subscribe', ({ params }) => {
    if (params.uri !== FILES_URI) throw notFollowed(params.uri);
    subscribed.add(params.uri);
    return {};
  });
  protocol.setRequestHandler('resources/unsubscribe', ({ params }) => {
    subscribed.delete(params.uri);
    return {};
  });
  if (telling === 'nobody') return;
  const listening = parts.changes.on(() => {
    if (subscribed.size === 0 || !server.isConnected()) return;
    protocol.sendResourceUpdated({ uri: FILES_URI }).catch((thrown: unknown) => {
      parts.logger.log('debug', 'a client could not be told', { reason: messageOf(thrown) });
    });
  });
  protocol.onclose = () => listening[Symbol.dispose]();
}

function notFollowed(uri: string): ProtocolError {
  const message = `only ${FILES_URI} can be subscribed to, not ${JSON.stringify(uri.slice(0, 200))}`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
