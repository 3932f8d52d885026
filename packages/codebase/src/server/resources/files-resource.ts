// `codebase://files`: the listing of all files, in pages with a link to the next one. Clients can subscribe to changes.

import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import type { FileListing } from './file-listing.ts';

export const FILES_URI = 'codebase://files';

const WORDS = {
  title: 'Files of the codebase',
  description:
    'All files that no ignore file leaves out, with their sizes, 1000 per page. Can be subscribed to.',
  mimeType: 'application/json',
} as const;

/** Short, since it changes with every edit, and clients can subscribe. */
const CACHE = { ttlMs: 1000, cacheScope: 'private' } as const;

export function registerFiles(server: McpServer, listing: FileListing): void {
  const words = { ...WORDS, cacheHint: CACHE };
  server.registerResource('files', FILES_URI, words, () => readListing(listing, undefined));
  const page = new ResourceTemplate(`${FILES_URI}{?cursor}`, { list: undefined });
  server.registerResource('files-page', page, words, (uri) =>
    readListing(listing, uri.searchParams.get('cursor') ?? undefined),
  );
}

async function readListing(
  listing: FileListing,
  cursor: string | undefined,
): Promise<ReadResourceResult> {
  const page = await listing.page(cursor);
  if (!page.ok) throw new ProtocolError(ProtocolErrorCode.InvalidParams, page.error);
  const { files, total, nextCursor } = page.value;
  const next = nextCursor === undefined ? {} : { next: `${FILES_URI}?cursor=${nextCursor}` };
  const uri = cursor === undefined ? FILES_URI : `${FILES_URI}?cursor=${cursor}`;
  const text = JSON.stringify({ total, files, ...next });
  return { contents: [{ uri, mimeType: WORDS.mimeType, text }] };
}
